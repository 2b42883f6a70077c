import GraphKit
import Nodes
import TestTools
import Testing

/// Subtitles of a file whose video or audio leaves at other times.
@Suite(.inTurn) struct MovedTextTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private static let titles = """
    ;FFMETADATA1
    [CHAPTER]
    TIMEBASE=1/1000
    START=0
    END=1000
    title=One
    [CHAPTER]
    TIMEBASE=1/1000
    START=1000
    END=2000
    title=Two

    """

  private func source() throws -> String {
    let path = scratch.path("in.mp4")
    let text = try scratch.write(
      Array("1\n00:00:00,500 --> 00:00:01,000\nHello\n".utf8), to: "a.srt")
    let titles = try scratch.write(Array(Self.titles.utf8), to: "titles.txt")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=440:d=2 -i \(text) -i \(titles)",
      "-map 0 -map 1 -map 2 -map_metadata 3 -c:v libx264 -pix_fmt yuv420p -c:a aac -c:s mov_text",
      to: path)
    return path
  }

  private func graph(_ effect: String, wires: String) throws -> Graph {
    let document = try GraphDocument(
      json: """
        { "nodes": { "in": { "type": "file", "path": "\(try source())" },
            "effect": { "type": \(effect) }, "video": { "type": "h264Encoder" },
            "audio": { "type": "aacEncoder" },
            "out": { "type": "mp4Sink", "path": "\(scratch.path("out.mp4"))" } },
          "wires": [\(wires), "in.text -> out.text"] }
        """)
    return try Graph(checking: document, catalog: .builtIn, environment: LiveEnvironment())
  }

  private static let video = #""in.video -> effect -> video -> out", "in.audio -> audio -> out""#
  private static let both = """
    "in.audio -> effect.audio", "in.video -> effect.video",
    "effect.video -> video -> out", "effect.audio -> audio -> out"
    """

  @Test(arguments: [
    (#""speed", "speed": 2"#, video), (#""trim", "from": 1"#, video),
    (#""trim", "to": 1"#, video), (#""timeShift", "seconds": 1"#, video),
    (#""shortenSilence""#, both),
  ])
  func aWarningNamesThem(_ effect: String, _ wires: String) throws {
    let found = try graph(effect, wires: wires).warnings.map(\.description)
    let words =
      "`in.text` keeps its times, and `effect` changes those of what `out` gets with it"
    #expect(found.count { $0.contains(words) } == 1, "\(found)")
  }

  @Test(arguments: [#""speed""#, #""blur", "radius": 1"#, #""trim""#])
  func whatKeepsTimesIsNoReason(_ effect: String) throws {
    #expect(try graph(effect, wires: Self.video).warnings == [])
  }

  /// The text is of the same file, whose chapters it would have as they were.
  @Test func chaptersAreThoseOfTheVideo() async throws {
    let graph = try graph(#""speed", "speed": 2"#, wires: Self.video)
    _ = try await Pipeline(Plan(graph), environment: LiveEnvironment()).run()
    let words = ["-v", "error", "-show_chapters", "-show_entries", "chapter=start_time"]
    let found = try tool("ffprobe", words + ["-of", "csv=p=0", scratch.path("out.mp4")])
    #expect(String(decoding: found, as: UTF8.self) == "0.000000,One\n0.500000,Two\n")
  }
}
