import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

extension RunTests {
  /// Subtitles that are drawn, beside ffmpeg's filter `subtitles`.
  @Suite("subtitleOverlay") struct SubtitleOverlayTests {
    private let scratch: TestFolder
    init() throws { scratch = try TestFolder() }

    private static let texts = """
      1
      00:00:00,300 --> 00:00:00,700
      Hello {there}

      2
      00:00:01,000 --> 00:00:01,200
      a <i>second</i> &amp; a
      third

      3
      00:00:01,200 --> 00:00:09,000
      the last
      """

    /// Two seconds of grey, 10 frames a second, and the texts: in a file of their own, or within.
    private func input(_ name: String) throws -> (video: String, texts: String) {
      let texts = try scratch.write(Array(Self.texts.utf8), to: "a.srt")
      let path = scratch.path(name)
      let isWithin = name.hasSuffix("mkv")
      try tool(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "color=gray:s=320x180:r=10:d=2"]
          + (isWithin ? ["-i", texts, "-c:s", "srt"] : []) + ["-c:v", "libx264", path])
      return (path, texts)
    }

    /// Which frames of a movie show something, and in which rows.
    private func ink(_ path: String, _ filter: String = "null") throws -> [ClosedRange<Int>?] {
      let bytes = try tool(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-an", "-vf", filter, "-pix_fmt", "gray", "-f", "rawvideo",
          "-",
        ])
      let size = 320 * 180
      return stride(from: 0, to: bytes.count - size + 1, by: size).map { start in
        let rows = (0..<180).filter { row in
          let first = bytes.startIndex + start + row * 320
          return bytes[first..<first + 320].contains { $0 > 200 }
        }
        return rows.first.map { $0...(rows.last ?? $0) }
      }
    }

    @Test(
      "a text ends where the next one's times are, without an empty line between",
      arguments: [
        "1\n00:00:00,000 --> 00:00:01,000\nA\n2\n00:00:01,000 --> 00:00:02,000\n7\n\n3",
        "WEBVTT\n\n00:00.000 --> 00:01.000\nA\n00:01.000 --> 00:02.000\n7\n",
      ])
    func noEmptyLine(file: String) throws {
      let found = try SubtitleFile.parse(file[...], "a.srt")
      #expect(
        found == [
          Subtitle(start: 0, end: 1_000, text: "A"), Subtitle(start: 1_000, end: 2_000, text: "7"),
        ])
    }

    private func run(_ nodes: String, _ wires: String) async throws -> String {
      let path = scratch.path("out.mp4")
      let run = try pipeline(
        """
        { "nodes": { \(nodes),
            "video": { "type": "h264Encoder", "bitRate": 1000000 },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": [\(wires), "shown -> video -> movie.video"] }
        """)
      let report = try await run.run()
      #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
      return path
    }

    @Test(arguments: ["a.mp4", "a.mkv"])
    func showsThemWhenFFmpegDoes(_ name: String) async throws {
      let (video, texts) = try input(name)
      let isWithin = name.hasSuffix("mkv")
      let source = "\"source\": { \"type\": \"file\", \"path\": \"\(video)\" }"
      let file = ", \"texts\": { \"type\": \"subtitles\", \"path\": \"\(texts)\" }"
      let output = try await run(
        source + (isWithin ? "" : file) + ", \"shown\": { \"type\": \"subtitleOverlay\" }",
        "\"source.video -> shown.in\", "
          + (isWithin ? "\"source.text -> shown.text\"" : "\"texts -> shown.text\""))
      let ours = try ink(output)
      let theirs = try ink(video, "subtitles=\(texts)")
      #expect(ours.count == 20)
      #expect(ours.map { $0 != nil } == theirs.map { $0 != nil })
      #expect(ours.map { $0 != nil }.filter(\.self).count == 14)
      // One line above the margin; two are higher.
      let (one, two) = (try #require(ours[4]), try #require(ours[10]))
      #expect((140...172).contains(one.lowerBound) && (150...172).contains(one.upperBound))
      #expect(two.lowerBound < one.lowerBound - 8)
    }

    @Test func aCharacterWithoutAFontIsAWarningOnce() async throws {
      let (video, _) = try input("a.mp4")
      let texts = try scratch.write(
        Self.texts.replacing("second", with: "\u{10FFFD}").replacing("last", with: "\u{10FFFC}")
          .utf8, to: "b.srt")
      let report = try await pipeline(
        """
        { "nodes": { "source": { "type": "file", "path": "\(video)" },
            "texts": { "type": "subtitles", "path": "\(texts)" },
            "shown": { "type": "subtitleOverlay" }, "video": { "type": "h264Encoder" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("out.mp4"))" } },
          "wires": ["source.video -> shown.in", "texts -> shown.text",
                    "shown -> video -> movie.video"] }
        """
      ).run()
      #expect(report.warnings?.map(\.node) == ["shown"], "\(report)")
      #expect(report.warnings?.first?.message.contains("`\u{10FFFD}` (U+10FFFD)") == true)
    }

    @Test func liesWhereItIsTold() async throws {
      let (video, texts) = try input("a.mp4")
      let output = try await run(
        """
        "source": { "type": "file", "path": "\(video)" },
        "texts": { "type": "subtitles", "path": "\(texts)" },
        "shown": { "type": "subtitleOverlay", "position": "top", "size": 30, "margin": 0 }
        """, "\"source.video -> shown.in\", \"texts -> shown.text\"")
      let rows = try #require(try ink(output)[4])
      #expect(rows.upperBound < 45 && rows.count > 15)
    }

    @Test func aColourThatIsNoneIsAnError() throws {
      var node = SubtitleOverlay()
      node.outlineColor = "black"
      #expect(node.problem?.key == "outlineColor")
      #expect(SubtitleOverlay().problem == nil)
    }
  }
}
