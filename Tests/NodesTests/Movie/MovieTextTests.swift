import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers
@testable import Nodes

/// Subtitles and chapters of movies.
@Suite(.inTurn) struct MovieTextTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func file(_ name: String, _ text: String) throws -> String {
    try scratch.write(Array(text.utf8), to: name)
  }

  private static let english = """
    1
    00:00:00,500 --> 00:00:01,000
    Hello <i>there</i>

    2
    00:00:01,500 --> 00:00:02,000
    {\\an8}Second &amp; last
    of two lines
    """

  private static let german = """
    WEBVTT

    NOTE No text of the movie

    first
    00:00.250 --> 00:01.000 align:start
    <v Bob>Größe 𝄞
    """

  /// Records two seconds with subtitles in two languages, in a movie with some parameters.
  private func record(_ name: String, _ parameters: String = "") async throws -> String {
    let path = scratch.path(name)
    let (english, german) = (try file("a.srt", Self.english), try file("b.vtt", Self.german))
    let run = try pipeline(
      """
      { "nodes": {
          "pictures": { "type": "testVideo", "width": 160, "height": 120, "frames": 60 },
          "video": { "type": "h264Encoder" },
          "tone": { "type": "testAudio", "seconds": 2 }, "audio": { "type": "aacEncoder" },
          "english": { "type": "subtitles", "path": "\(english)" },
          "german": { "type": "subtitles", "path": "\(german)" },
          "movie": { "type": "mp4Sink", "path": "\(path)"\(parameters) } },
        "wires": ["pictures -> video -> movie.video", "tone -> audio -> movie.audio",
          "english -> movie.text", "german -> movie.text.2"] }
      """)
    let report = try await run.run()
    #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
    return path
  }

  /// The subtitles of a movie's stream, as ffmpeg reads them.
  private func subtitles(_ path: String, _ stream: Int) throws -> [Subtitle] {
    let words = ["-v", "error", "-i", path, "-map", "0:s:\(stream)", "-f", "webvtt", "-"]
    return try SubtitleFile.parse(
      String(decoding: try tool("ffmpeg", words), as: UTF8.self)[...], path)
  }

  private static let shown = [
    [
      Subtitle(start: 500, end: 1_000, text: "Hello there"),
      Subtitle(start: 1_500, end: 2_000, text: "Second & last\nof two lines"),
    ], [Subtitle(start: 250, end: 1_000, text: "Größe 𝄞")],
  ]

  @Test func theLastIsShownUntilTheEndThatIsAskedFor() async throws {
    let path = try await record("a.mp4", ", \"seconds\": 1.75")
    let last = Subtitle(start: 1_500, end: 1_750, text: "Second & last\nof two lines")
    #expect(try subtitles(path, 0) == [Self.shown[0][0], last])
    #expect(try subtitles(path, 1) == Self.shown[1])
  }

  /// Without video the first sample of any track begins the session, a text's too.
  @Test func theOnlyTextIsShownUntilThen() async throws {
    let path = scratch.path("a.mp4")
    let text = try file("a.srt", "1\n00:00:00,000 --> 00:00:09,000\nlong\n")
    _ = try await pipeline(
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 3 }, "audio": { "type": "aacEncoder" },
          "text": { "type": "subtitles", "path": "\(text)" },
          "movie": { "type": "mp4Sink", "path": "\(path)", "seconds": 1.5 } },
        "wires": ["tone -> audio -> movie.audio", "text -> movie.text"] }
      """
    ).run()
    #expect(try subtitles(path, 0) == [Subtitle(start: 0, end: 1_500, text: "long")])
  }

  @Test(arguments: ["a.mp4", "a.mov"], [true, false])
  func subtitlesAreShownAtTheirTimes(_ name: String, _ crashSafe: Bool) async throws {
    let path = try await record(
      name,
      ", \"crashSafe\": \(crashSafe), \"languages\": { \"text\": \"en\", \"text.2\": \"de-AT\" }")
    let checker = try BoxChecker(path)
    #expect(checker.faults == [])
    #expect(checker.tracks.map(\.codec).sorted() == ["avc1", "mp4a", "tx3g", "tx3g"])
    for stream in 0..<2 { #expect(try subtitles(path, stream) == Self.shown[stream]) }
    let words = ["-v", "error", "-select_streams", "s", "-show_entries"]
    let found = String(
      decoding: try tool(
        "ffprobe", words + ["stream_tags=language:stream_disposition=default", path]), as: UTF8.self
    )
    #expect(found.contains("language=eng") && found.contains("language=deu"), "\(found)")
    #expect(found.components(separatedBy: "default=1").count == 2, "one of them is shown: \(found)")
    #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("elng".utf8)) != nil)
    #expect(try decodeComplaints(path).isEmpty)
  }

  @Test func subtitlesOfAMovieAreCopied() async throws {
    let source = try await record("a.mp4")
    let path = scratch.path("copy.mp4")
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "movie": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["in.video -> movie.video", "in.audio -> movie.audio", "in.text -> movie.text",
          "in.text.2 -> movie.text.2"] }
      """)
    #expect(try await run.run().unbalanced == [])
    #expect(try BoxChecker(path).faults == [])
    for stream in 0..<2 { #expect(try subtitles(path, stream) == Self.shown[stream]) }
  }

  /// Matroska's text has markup.
  @Test func subtitlesOfMatroskaAreCopied() async throws {
    let (source, path) = (scratch.path("a.mkv"), scratch.path("copy.mp4"))
    let text = try file("a.srt", Self.english)
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -i \(text) -c:v libx264 -pix_fmt yuv420p -c:s srt",
      to: source)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "movie": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["in.video -> movie.video", "in.text -> movie.text"] }
      """)
    #expect(try await run.run().unbalanced == [])
    #expect(try subtitles(path, 0) == Self.shown[0])
  }

  /// What a killed process leaves.
  @Test func fragmentsHaveTheSubtitlesAndChapters() async throws {
    let path = try await record("a.mp4", Self.chapters)
    let cut = try scratch.write(fragments(of: path), to: "cut.mp4")
    #expect(try decodeComplaints(cut).isEmpty)
    #expect(try chapters(cut).map(\.title) == ["One", "Zwei 𝄞", "Late"])
    #expect(try MovieRepair.repair(cut).wasFragmented)
    #expect(try BoxChecker(cut).faults == [])
    for stream in 0..<2 { #expect(try subtitles(cut, stream) == Self.shown[stream]) }
  }

  private static let chapters = """
    , "chapters": [{ "time": 1.5, "title": "Zwei 𝄞" }, { "time": 0, "title": "One" },
      { "time": 9, "title": "Late" }]
    """

  private struct Chapter: Decodable, Equatable {
    struct Tags: Decodable, Equatable { var title: String }
    var start_time: String
    var end_time: String
    var tags: Tags
    var title: String { tags.title }
  }

  private func chapters(_ path: String) throws -> [Chapter] {
    struct Answer: Decodable { var chapters: [Chapter] }
    let output = try tool("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", path])
    return try JSONDecoder().decode(Answer.self, from: output).chapters
  }

  @Test(arguments: ["a.mp4", "a.mov", "a.m4a"])
  func chaptersArePartsOfTheMovie(_ name: String) async throws {
    let path = scratch.path(name)
    let run = try pipeline(
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 2 }, "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(path)"\(Self.chapters) } },
        "wires": ["tone -> audio -> movie.audio"] }
      """)
    _ = try await run.run()
    let checker = try BoxChecker(path)
    #expect(checker.faults == [])
    #expect(checker.tracks.map(\.codec) == ["mp4a", "text"])
    let found = try chapters(path)
    #expect(found.map(\.title) == ["One", "Zwei 𝄞"])
    #expect(found.map { Double($0.start_time) } == [0, 1.5])
    #expect(found.map { Double($0.end_time) } == [1.5, 2])
    #expect(try decodeComplaints(path).isEmpty)
    try await checkCopy(of: path, found)
  }

  /// A copy has its file's chapters, by the track of titles or by the list alone.
  private func checkCopy(of path: String, _ expected: [Chapter]) async throws {
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    for hidden in ["", "chap"] {
      if let box = bytes.firstRange(of: Array(hidden.utf8)), !hidden.isEmpty {
        bytes.replaceSubrange(box, with: Array("free".utf8))
      }
      let source = try scratch.write(bytes, to: "source.mp4")
      let copied = scratch.path("copy\(hidden).mp4")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "movie": { "type": "mp4Sink", "path": "\(copied)" } },
          "wires": ["in.audio -> movie.audio"] }
        """)
      _ = try await run.run()
      #expect(try chapters(copied) == expected, "\(hidden)")
    }
  }

  @Test func textsThatOverlapAreOneOfSeveralLines() throws {
    let texts = [
      Subtitle(start: 0, end: 3_000, text: "a"), Subtitle(start: 1_000, end: 2_000, text: "b"),
      Subtitle(start: 3_000, end: 4_000, text: "c"),
    ]
    let apart = try SubtitleFile.apart(texts, "a.srt")
    #expect(
      apart == [
        Subtitle(start: 0, end: 1_000, text: "a"), Subtitle(start: 1_000, end: 2_000, text: "a\nb"),
        Subtitle(start: 2_000, end: 3_000, text: "a"),
        Subtitle(start: 3_000, end: 4_000, text: "c"),
      ])
  }

  @Test(arguments: [
    ("1\n00:00:01,000 --> 00:x\ntext", "line 2 of "), ("no subtitles", "holds no subtitles"),
    ("\u{0}", "holds no subtitles"), ("00:00:00,000 --> x\n", "has no times"),
  ])
  func whatIsNoFileOfSubtitlesIsAnError(_ text: String, _ words: String) throws {
    let path = try file("a.srt", text)
    let error = #expect(throws: NodeError.self) { try SubtitleFile(path) }
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    let latin = try scratch.write([0x31, 0xff, 0xfe], to: "latin.srt")
    #expect(throws: NodeError.self) { try SubtitleFile(latin) }
  }
}
