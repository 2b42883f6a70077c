import Foundation
import GraphKit
import TestTools
import Testing

/// Subtitles of a part of a file: those that are shown in it, from its beginning to its end.
@Suite(.inTurn) struct TextRangeTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func input(_ name: String, _ texts: String) throws -> String {
    let (file, path) = (try scratch.write(Array(texts.utf8), to: "a.srt"), scratch.path(name))
    let codec = name.hasSuffix("mp4") ? "mov_text" : "srt"
    try tool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=4", "-i", file]
        + ["-c:v", "libx264", "-g", "25", "-c:s", codec, path])
    return path
  }

  /// What ffmpeg reads of the subtitles of a part, in milliseconds.
  private func texts(of input: String, _ range: String, in name: String) async throws -> [String] {
    let (output, srt) = (scratch.path(name), scratch.path("out.srt"))
    let sink = name.hasSuffix("mp4") ? "mp4Sink" : "matroskaSink"
    _ = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)", \(range) },
                   "encoder": { "type": "h264Encoder" },
                   "out": { "type": "\(sink)", "path": "\(output)", "overwrite": true } },
        "wires": ["in.video -> encoder -> out.video", "in.text -> out.text"] }
      """
    ).run()
    try tool("ffmpeg", ["-v", "error", "-y", "-i", output, "-map", "0:s", "-f", "srt", srt])
    let words = try String(contentsOfFile: srt, encoding: .utf8).replacing(/<[^>]*>/, with: "")
    return words.matches(of: /:(\d\d),(\d+) --> .*:(\d\d),(\d+)\n(.*)/).map {
      "\($0.1).\($0.2) \($0.3).\($0.4) \($0.5)"
    }
  }

  private static let inTurn = """
    1
    00:00:00,200 --> 00:00:01,000
    one

    2
    00:00:01,000 --> 00:00:01,900
    two

    3
    00:00:02,100 --> 00:00:02,900
    three
    """

  @Test(arguments: ["in.mp4", "in.mkv"], ["out.mp4", "out.mkv"])
  func textsAreCutToThePart(source: String, sink: String) async throws {
    let input = try input(source, Self.inTurn)
    let early = try await texts(of: input, #""from": 0.52, "to": 2.52"#, in: sink)
    #expect(early == ["00.000 00.480 one", "00.480 01.380 two", "01.580 02.000 three"])
    // It begins in a pause: what was shown before isn't any more.
    let late = try await texts(of: input, #""from": 1.96, "to": 3.52"#, in: sink)
    #expect(late == ["00.140 00.940 three"])
  }

  @Test func textsThatLastLongerThanOthersAreShown() async throws {
    let input = try input(
      "in.mkv",
      """
      1
      00:00:00,200 --> 00:00:03,000
      long

      2
      00:00:00,500 --> 00:00:01,000
      short
      """)
    let found = try await texts(of: input, #""from": 2"#, in: "out.mkv")
    #expect(found == ["00.000 01.000 long"])
  }
}
