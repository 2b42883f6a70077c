import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

extension FileTests {
  /// Scripts of ASS in Matroska, whose texts are read as `subtitles` reads those of a file.
  @Suite struct ASSTextTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let script = """
      [Script Info]
      ScriptType: v4.00+

      [V4+ Styles]
      Format: Name, Fontname, Fontsize
      Style: Default,DejaVu Sans,20

      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
      Dialogue: 0,0:00:00.20,0:00:00.60,Default,,0,0,0,,{\\i1}Hello{\\i0}, one, {\\pos(9,9)}two
      Dialogue: 0,0:00:00.80,0:00:01.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 0 10 10{\\p0}
      Dialogue: 0,0:00:01.10,0:00:01.30,Default,,0,0,0,,{\\an5\\p2}m 0 0 l 8 0{\\p0} beside it
      Dialogue: 0,0:00:01.50,0:00:01.90,Default,,0,0,0,,last {\\p1}m 1 1 l 2 2

      """

    @Test("braces that are never closed are letters, however many there are") func openBraces()
      async throws
    {
      let braces = String(repeating: "{", count: 300_000)
      let script = Self.script.split(separator: "\n").dropLast(4).joined(separator: "\n")
      let line = "Dialogue: 0,0:00:00.20,0:00:00.60,Default,,0,0,0,,A\(braces)"
      try Data("\(script)\n\(line)\n".utf8).write(to: URL(filePath: scratch.path("a.ass")))
      try ffmpeg("-f lavfi -i testsrc=s=64x48:d=1 -c:v libx264", to: scratch.path("pictures.mkv"))
      let (file, path) = (scratch.path("a.mkv"), scratch.path("a.mp4"))
      try ffmpeg(
        "-i \(scratch.path("pictures.mkv")) -i \(scratch.path("a.ass")) -map 0 -map 1 -c copy",
        to: file)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(file)" },
            "out": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["in.video -> out.video", "in.text -> out.text"] }
        """
      ).run()
      #expect(report.failure == nil, "\(report)")
      let shown = ["-v", "error", "-i", path, "-map", "0:s", "-f", "webvtt", "-"]
      let text = String(decoding: try tool("ffmpeg", shown), as: UTF8.self)
      #expect(text.contains("00:00.200 --> 00:00.600\nA"), "\(text.prefix(200))")
    }

    @Test("breaks of lines and hard spaces are those of a script that is read as a file")
    func breaks() async throws {
      let (script, path) = (scratch.path("a.ass"), scratch.path("a.mp4"))
      let head = Self.script.split(separator: "\n").dropLast(4).joined(separator: "\n")
      let line =
        "Dialogue: 0,0:00:00.20,0:00:00.60,Default,,0,0,0,,one\\Ntwo\\nthree\\hfour{\\N}{\\p1}m 0\\N0"
      try Data("\(head)\n\(line)\n".utf8).write(to: URL(filePath: script))
      let file = scratch.path("a.mkv")
      try tool(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:d=1", "-i", script]
          + ["-map", "0", "-map", "1", "-c:v", "libx264", "-c:s", "copy", file])
      let text = try await copiedText(of: file, to: path)
      #expect(text.hasSuffix("one\ntwo three\u{a0}four\n"), "\(text.debugDescription)")
      #expect(try SubtitleFile(script).subtitles.map(\.text) == ["one\ntwo three\u{a0}four"])
    }

    /// What ffmpeg reads of the texts of a movie that pictures and texts of a file are copied into.
    private func copiedText(
      of file: String, to path: String, isIsolated: Bool = false
    ) async throws -> String {
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(file)", "isolate": \(isIsolated) },
            "out": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["in.video -> out.video", "in.text -> out.text"] }
        """
      ).run()
      #expect(report.warnings == nil && report.unbalanced == [])
      let shown = ["-v", "error", "-i", path, "-map", "0:s", "-f", "webvtt", "-"]
      return String(decoding: try tool("ffmpeg", shown), as: UTF8.self)
    }

    @Test("what draws is no text", arguments: [false, true])
    func drawings(isIsolated: Bool) async throws {
      let (script, pictures) = (scratch.path("a.ass"), scratch.path("pictures.mkv"))
      let (file, path) = (scratch.path("a.mkv"), scratch.path("a.mp4"))
      try Data(Self.script.utf8).write(to: URL(filePath: script))
      try ffmpeg("-f lavfi -i testsrc=s=64x48:d=2 -c:v libx264", to: pictures)
      let words = ["-i", pictures, "-i", script, "-map", "0", "-map", "1", "-c", "copy", file]
      try tool("ffmpeg", ["-v", "error"] + words)
      let text = try await copiedText(of: file, to: path, isIsolated: isIsolated)
      func trimmed(_ subtitles: [Subtitle]) -> [Subtitle] {
        subtitles.map { subtitle in
          var subtitle = subtitle
          subtitle.text = subtitle.text.trimmingCharacters(in: .whitespaces)
          return subtitle
        }
      }
      let found = trimmed(try SubtitleFile.parse(text[...], path))
      #expect(found.map(\.text) == ["Hello, one, two", "beside it", "last"])
      #expect(try found == trimmed(SubtitleFile(script).subtitles))
    }
  }
}
