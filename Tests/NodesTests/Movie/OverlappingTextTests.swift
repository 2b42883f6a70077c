import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Subtitles of Matroska files that are shown at once, and those of parts, as ffmpeg reads them.
@Suite(.inTurn) struct OverlappingTextTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// A file with texts at some times, in milliseconds.
  private func film(_ texts: [(start: Int, end: Int, text: String)]) throws -> String {
    let (list, path) = (scratch.path("in.srt"), scratch.path("in.mkv"))
    func time(_ milliseconds: Int) -> String {
      "00:00:0\(milliseconds / 1_000),\(String(milliseconds % 1_000 + 1_000).dropFirst())"
    }
    let cues = texts.enumerated().map { index, cue in
      "\(index + 1)\n\(time(cue.start)) --> \(time(cue.end))\n\(cue.text)\n"
    }
    try Data(cues.joined(separator: "\n").utf8).write(to: URL(filePath: list))
    try ffmpeg(
      "-f lavfi -i color=black:s=160x96:r=25:d=5 -i \(list) -c:v libx264 -g 25 -c:s copy", to: path)
    return path
  }

  private func run(_ nodes: String, _ wires: String) async throws {
    let report = try await pipeline(#"{ "nodes": { \#(nodes) }, "wires": [\#(wires)] }"#).run()
    #expect(report.failure == nil && report.warnings ?? [] == [], "\(report)")
  }

  /// When the texts of a movie are shown, and what they are.
  private func texts(_ path: String) throws -> [String] {
    let words = ["-v", "error", "-i", path, "-map", "0:s", "-c:s", "webvtt", "-f", "webvtt", "-"]
    let text = String(decoding: try tool("ffmpeg", words), as: UTF8.self)
    return text.components(separatedBy: "\n\n").dropFirst().map {
      $0.trimmingCharacters(in: .newlines).replacing("\n", with: " | ")
    }
  }

  private static let three = [
    (500, 4_000, "LONG"), (1_000, 2_000, "SHORT"), (1_500, 2_500, "THIRD"),
  ]

  @Test func textsThatAreShownAtOnceAreOneOfSeveralLines() async throws {
    let (film, path) = (try film(Self.three), scratch.path("out.mp4"))
    try await run(
      """
      "in": { "type": "file", "path": "\(film)" }, "out": { "type": "mp4Sink", "path": "\(path)" }
      """, #""in.video -> out.video", "in.text -> out.text""#)
    #expect(
      try texts(path) == [
        "00:00.500 --> 00:01.000 | LONG", "00:01.000 --> 00:01.500 | LONG | SHORT",
        "00:01.500 --> 00:02.000 | LONG | SHORT | THIRD", "00:02.000 --> 00:02.500 | LONG | THIRD",
        "00:02.500 --> 00:04.000 | LONG",
      ])
  }

  /// The rows of a frame on which something is drawn.
  private func drawnRows(_ path: String, at time: Double) throws -> Int {
    let words = [
      "-v", "error", "-ss", "\(time)", "-i", path, "-frames:v", "1", "-pix_fmt", "gray", "-f",
      "rawvideo", "-",
    ]
    let pixels = try tool("ffmpeg", words)
    return (0..<96).count { row in pixels[row * 160..<(row + 1) * 160].contains { $0 > 128 } }
  }

  @Test func textsThatAreDrawnAtOnceAreOneOfSeveralLines() async throws {
    let (film, path) = (try film(Self.three), scratch.path("out.mp4"))
    try await run(
      """
      "in": { "type": "file", "path": "\(film)" }, "draw": { "type": "subtitleOverlay" },
      "h264": { "type": "h264Encoder" }, "out": { "type": "mp4Sink", "path": "\(path)" }
      """, #""in.video -> draw.in", "in.text -> draw.text", "draw -> h264 -> out.video""#)
    let one = try drawnRows(path, at: 0.8)
    #expect(one > 4)
    #expect(try drawnRows(path, at: 0.2) == 0)
    #expect(try drawnRows(path, at: 1.2) > one + 4)
    #expect(try drawnRows(path, at: 1.8) > one + 8)
    #expect(try drawnRows(path, at: 3.5) == one)
    #expect(try drawnRows(path, at: 4.2) == 0)
  }

  /// Readers that pass over lists of edits have them in time, too.
  @Test func textsOfPartsAreInTime() async throws {
    let film = try film([(500, 1_000, "ONE"), (3_000, 3_500, "TWO"), (4_250, 4_750, "THREE")])
    try await run(
      """
      "in": { "type": "file", "path": "\(film)" },
      "out": { "type": "mp4Sink", "path": "\(scratch.path("{number}.mp4"))", "splitEvery": 2 }
      """, #""in.video -> out.video", "in.text -> out.text""#)
    #expect(try texts(scratch.path("00001.mp4")) == ["00:00.500 --> 00:01.000 | ONE"])
    #expect(try texts(scratch.path("00002.mp4")) == ["00:01.000 --> 00:01.500 | TWO"])
    #expect(try texts(scratch.path("00003.mp4")) == ["00:00.250 --> 00:00.750 | THREE"])
    let list = try tool(
      "ffprobe",
      [
        "-v", "error", "-ignore_editlist", "1", "-select_streams", "s", "-show_entries",
        "packet=pts_time", "-of", "csv=p=0", scratch.path("00002.mp4"),
      ])
    #expect(
      String(decoding: list, as: UTF8.self).split(separator: "\n").prefix(2) == [
        "0.000000", "1.000000",
      ])
  }

  /// What is left of a text when one beside it ends is in the part, though no other text follows there.
  @Test func aPartShowsWhatIsLeftOfATextBesideAnother() async throws {
    let film = try film([(500, 1_900, "LONG"), (800, 1_200, "SHORT"), (3_000, 3_500, "NEXT")])
    try await run(
      """
      "in": { "type": "file", "path": "\(film)" },
      "out": { "type": "mp4Sink", "path": "\(scratch.path("{number}.mp4"))", "splitEvery": 2 }
      """, #""in.video -> out.video", "in.text -> out.text""#)
    #expect(
      try texts(scratch.path("00001.mp4")) == [
        "00:00.500 --> 00:00.800 | LONG", "00:00.800 --> 00:01.200 | LONG | SHORT",
        "00:01.200 --> 00:01.900 | LONG",
      ])
  }

  /// A length that no clock can count is none that ends the process.
  @Test func aTextMayLastForEver() {
    var texts = TextOverlaps()
    let first = texts.add(ShownText(start: 1_000, duration: .max, text: "A"))
    #expect(first == [ShownText(start: 1_000, end: .max, text: "A")])
    let second = texts.add(ShownText(start: 2_000, duration: 500, text: "B"))
    #expect(second == [ShownText(start: 2_000, end: 2_500, text: "A\nB")])
    #expect(texts.finish() == [ShownText(start: 2_500, end: .max, text: "A")])
  }
}
