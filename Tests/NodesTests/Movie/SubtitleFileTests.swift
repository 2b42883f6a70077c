import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// What files of subtitles hold, beside what ffmpeg reads in them.
@Suite(.inTurn) struct SubtitleFileTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func file(_ text: String, _ name: String = "a.srt") throws -> String {
    try scratch.write(Array(text.utf8), to: name)
  }

  private func readByFFmpeg(_ path: String) throws -> [Subtitle] {
    let words = ["-v", "error", "-i", path, "-f", "webvtt", "-"]
    return try SubtitleFile.parse(
      String(decoding: try tool("ffmpeg", words), as: UTF8.self)[...], path)
  }

  private static let (first, second) = (
    "1\n00:00:00,500 --> 00:00:01,000\n", "2\n00:00:01,200 --> 00:00:01,800\n"
  )

  /// Paragraphs, numbers within texts, an empty line after each line, and times without numbers.
  @Test(arguments: [
    "\(first)first\n\nsecond paragraph\n\n\(second)ok\n",
    "\(first)\nfirst\n\n\n1984\n\n\(second)\n\nok\n\nthe end",
    (first + "first\n" + second + "ok\n").replacing("\n", with: "\n\n"),
    "\(first)first\r\n\r\nsecond\r\n\r\n\(second)ok\r\n",
    "\(first)first\n\n00:00:01,200 --> 00:00:01,800\nok\n\nlast",
  ])
  func subRipKeepsWhatFollowsAnEmptyLine(_ text: String) throws {
    let path = try file(text)
    let found = try SubtitleFile(path).subtitles
    #expect(try found == readByFFmpeg(path) && found.count == 2, "\(found)")
  }

  /// A number that no times follow is of a text that was cut off; in a file without numbers it is text.
  @Test func aNumberIsTextWhereTextsHaveNone() throws {
    let texts = "00:00:01,000 --> 00:00:02,000\nOne\n7\n\n00:00:02,000 --> 00:00:03,000\n8\n"
    let numberless = try SubtitleFile(try file(texts)).subtitles
    #expect(numberless.map(\.text) == ["One\n7", "8"])
    let cutOff = try SubtitleFile(try file("\(Self.first)One\n\n2\n")).subtitles
    #expect(cutOff.map(\.text) == ["One"])
  }

  @Test func webVTTEndsATextAtAnEmptyLine() throws {
    let text =
      "WEBVTT\n\n00:00.500 --> 00:01.000\nfirst\n\nno text\n\n00:01.200 --> 00:01.800\nok\n"
    let path = try file(text, "a.vtt")
    #expect(try SubtitleFile(path).subtitles.map(\.text) == ["first", "ok"])
  }

  /// Files, and what is said of them: of texts that end before they begin, or when they do.
  @Test(arguments: [
    (
      "\(first)a\n\n2\n00:00:03,000 --> 00:00:02,500\nb\n\n3\n00:00:04,000 --> 00:00:04,000\nc\n",
      ["2 texts of", "first at 3", "aren't shown"]
    ), ("\(first)a\n\n2\n00:00:03,000 --> 00:00:03,000\nb\n", ["the text of", "isn't shown"]),
    ("\(first)a\n", []),
  ])
  func whatCannotBeShownIsSaid(_ text: String, _ words: [String]) throws {
    let document = try GraphDocument(
      json: """
        { "nodes": { "texts": { "type": "subtitles", "path": "\(try file(text))" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["texts -> movie.text"] }
        """)
    let notices = try Graph(
      checking: document, catalog: .builtIn, environment: LiveEnvironment()
    ).notices
    #expect(notices.map(\.node) == (words.isEmpty ? [] : ["texts"]))
    let said = notices.map(\.message).joined()
    for word in words { #expect(said.contains(word), "\(said)") }
  }

  @Test("a movie is called one", arguments: ["a.mp4", "a.mkv", "a.ts", "a.ogv", "a.avi"])
  func movies(name: String) throws {
    let path = scratch.path(name)
    let codec = name == "a.ogv" ? "libtheora" : "mpeg4"
    try ffmpeg("-f lavfi -i testsrc=s=64x48:d=0.2 -c:v \(codec)", to: path)
    let error = #expect(throws: NodeError.self) { try SubtitleFile(path) }
    #expect(error?.message == "`\(path)` is a movie, and no file of subtitles")
    #expect(error?.remedy == "read its texts with `file`, which has a port `text` for them")
    let latin = try scratch.write([0x31, 0x0a, 0xe4, 0x0a], to: "latin.srt")
    let other = #expect(throws: NodeError.self) { try SubtitleFile(latin) }
    #expect(other?.message == "`\(latin)` is not in UTF-8")
  }

  @Test func aFileOfNothingElseIsAnError() throws {
    let path = try file("1\n00:00:03,000 --> 00:00:02,500\nb\n")
    let error = #expect(throws: NodeError.self) { try SubtitleFile(path) }
    #expect(error?.message.contains("holds no subtitles") == true)
  }
}
