import Containers
import Foundation
import GraphKit
import GraphKitSystem
import Nodes
import Testing

extension FileTests {
  /// Chapters of files that are copied, from movies and Matroska files into both.
  @Suite struct CopiedChapterTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static func metadata(from start: Int) -> String {
      """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=\(start * 1_000)
      END=\(start * 1_000 + 1_500)
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=\(start * 1_000 + 1_500)
      END=\(start * 1_000 + 3_000)
      title=Zwei – zweitens 𝄞

      """
    }
    private static let listed = "0.000000,One\n1.500000,Zwei – zweitens 𝄞\n"

    /// Three seconds with chapters, of media that begin at a time, in seconds.
    private func source(_ name: String, from start: Int = 0) throws -> String {
      let titles = scratch.path("titles.txt")
      try Data(Self.metadata(from: start).utf8).write(to: URL(fileURLWithPath: titles))
      let encoder = name.hasSuffix("webm") ? "libvpx -deadline realtime" : "libx264"
      let path = scratch.path(name)
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=3 -i \(titles)",
        "-map_metadata 1 -pix_fmt yuv420p -c:v \(encoder)",
        "-output_ts_offset \(start) -avoid_negative_ts disabled", to: path)
      return path
    }

    private func copy(_ source: String, to path: String, _ settings: String = "") async throws
      -> String
    {
      let sink = path.hasSuffix("mp4") ? "mp4Sink" : "matroskaSink"
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "out": { "type": "\(sink)", "path": "\(path)", "overwrite": true\(settings) } },
          "wires": ["in.video -> out.video"] }
        """
      ).run()
      #expect(report.warnings == nil && report.unbalanced == [])
      #expect(try decodeComplaints(path) == "")
      return try chapters(path)
    }

    private func chapters(_ path: String) throws -> String {
      let words = [
        "-v", "error", "-show_chapters", "-show_entries", "chapter=start_time:chapter_tags=title",
        "-of", "csv=p=0", path,
      ]
      return String(decoding: try tool("ffprobe", words), as: UTF8.self)
    }

    @Test(
      "so has what is encoded again, of a part those that are in it, at their times there",
      arguments: ["out.mp4", "out.mkv"], [false, true])
    func areKept(to: String, isPart: Bool) async throws {
      let (source, path) = (try source("in.mp4"), scratch.path(to))
      let sink = to.hasSuffix("mp4") ? "mp4Sink" : "matroskaSink"
      let range = isPart ? #", "from": 1.1, "to": 2.6"# : ""
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)"\(range) },
            "look": { "type": "blur", "radius": 2 },
            "video": { "type": "h264Encoder" }, "out": { "type": "\(sink)", "path": "\(path)" } },
          "wires": ["in.video -> look -> video -> out.video"] }
        """
      ).run()
      #expect(report.warnings == nil)
      let part = "0.000000,One\n0.400000,Zwei – zweitens 𝄞\n"
      #expect(try chapters(path) == (isPart ? part : Self.listed))
    }

    @Test(
      "effects on frames leave them as they are",
      arguments: [
        #""type": "scale", "width": 32, "height": 24"#, #""type": "rotate", "degrees": 90"#,
        #""type": "saturation", "amount": 0.5"#,
      ])
    func stayThrough(_ effect: String) async throws {
      #expect(try await chapters(through: effect) == Self.listed)
    }

    @Test(
      "of a part, and at another speed, they are at their times there",
      arguments: [
        (#""type": "speed", "speed": 2"#, "0.000000,One\n0.750000,Zwei – zweitens 𝄞\n"),
        (#""type": "trim", "from": 1"#, "0.000000,One\n0.500000,Zwei – zweitens 𝄞\n"),
        (#""type": "trim", "from": 0.5, "to": 1.2"#, "0.000000,One\n"),
        (#""type": "trim", "to": 1.2"#, "0.000000,One\n"),
      ])
    func areMoved(_ effect: String, _ expected: String) async throws {
      #expect(try await chapters(through: effect) == expected)
    }

    @Test(
      "where nothing says what becomes of their times they are left out, and a warning says so",
      arguments: [#""type": "timeShift", "seconds": 1"#, #""type": "reverse""#])
    func areGone(_ effect: String) async throws {
      let words = "the chapters of `in` are left out of `out`, since `effect` changes times"
      #expect(try await chapters(through: effect, warning: words) == "")
    }

    @Test("nodes with several inputs leave them as they are") func stayBesideOthers() async throws {
      let (source, path) = (try source("in.mkv"), scratch.path("out.mkv"))
      let text = try scratch.write(
        Array("1\n00:00:01,000 --> 00:00:02,000\nText\n".utf8), to: "a.srt")
      let drawn = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "text": { "type": "subtitles", "path": "\(text)" },
            "draw": { "type": "subtitleOverlay" }, "video": { "type": "h264Encoder" },
            "out": { "type": "matroskaSink", "path": "\(path)" } },
          "wires": ["in.video -> draw.in", "text -> draw.text", "draw -> video -> out.video"] }
        """)
      _ = try await drawn.run()
      #expect(try chapters(path) == Self.listed)
    }

    @Test("audio under speech has its own", arguments: ["duck", "mixAudio"])
    func stayInMixes(_ mixer: String) async throws {
      let titles = scratch.path("titles.txt")
      try Data(Self.metadata(from: 0).utf8).write(to: URL(fileURLWithPath: titles))
      let (input, path) = (scratch.path("in.m4a"), scratch.path("out.m4a"))
      try ffmpeg("-f lavfi -i sine=440:d=3 -i \(titles) -map_metadata 1 -c:a aac", to: input)
      let second = mixer == "duck" ? "mix.key" : "mix.in.2"
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
            "speech": { "type": "testAudio", "seconds": 1 }, "mix": { "type": "\(mixer)" },
            "audio": { "type": "aacEncoder" }, "out": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["in.audio -> mix.in", "speech -> \(second)", "mix -> audio -> out.audio"] }
        """)
      _ = try await run.run()
      #expect(try chapters(path) == Self.listed)
    }

    /// Those of a movie that is encoded again after an effect.
    private func chapters(through effect: String, warning: String? = nil) async throws -> String {
      let (source, path) = (try source("in.mp4"), scratch.path("out.mp4"))
      let document = try GraphDocument(
        json: """
          { "nodes": { "in": { "type": "file", "path": "\(source)" }, "effect": { \(effect) },
              "video": { "type": "h264Encoder" }, "out": { "type": "mp4Sink", "path": "\(path)" } },
            "wires": ["in.video -> effect -> video -> out.video"] }
          """)
      let graph = try Graph(
        checking: document, catalog: .builtIn, environment: LiveEnvironment())
      #expect(graph.warnings.map(\.message) == [warning].compactMap(\.self))
      _ = try await Pipeline(Plan(graph), environment: LiveEnvironment()).run()
      return try chapters(path)
    }

    @Test(
      "a copy has its file's chapters",
      arguments: [
        ("in.mkv", "out.mp4"), ("in.mkv", "out.mkv"), ("in.mp4", "out.mkv"),
        ("in.webm", "out.webm"),
      ])
    func areCopied(from: String, to: String) async throws {
      let found = try await copy(source(from), to: scratch.path(to))
      #expect(found == Self.listed)
    }

    @Test("they count from where the media begin", arguments: ["out.mkv", "out.mp4"])
    func fromTheBeginning(_ name: String) async throws {
      let late = try source("late.mkv", from: 10)
      let stored = try chapters(late)
      #expect(stored.hasPrefix("10.000000,One\n"))
      let found = try await copy(late, to: scratch.path(name))
      #expect(found == Self.listed)
    }

    /// ffmpeg begins the first cluster with a frame that comes 23 ms after the first audio.
    @Test("they count from the first block, which may be before its cluster's time")
    func fromTheFirstBlock() async throws {
      let titles = scratch.path("titles.txt")
      try Data(Self.metadata(from: 0).utf8).write(to: URL(fileURLWithPath: titles))
      let (input, output) = (scratch.path("in.mkv"), scratch.path("out.mkv"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=3 -f lavfi -i sine=440:d=3 -i \(titles)",
        "-map_metadata 2 -pix_fmt yuv420p -c:v libx264 -c:a aac", to: input)
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "out": { "type": "matroskaSink", "path": "\(output)" } },
          "wires": ["in.video -> out.video", "in.audio -> out.audio"] }
        """
      ).run()
      #expect(try chapters(input) == Self.listed)
      #expect(try chapters(output) == Self.listed)
    }

    @Test("those that are given replace the file's")
    func areReplaced() async throws {
      let settings = #", "chapters": [{ "time": 1, "title": "Own" }]"#
      let found = try await copy(source("in.mkv"), to: scratch.path("out.mkv"), settings)
      #expect(found == "1.000000,Own\n")
    }

    @Test("chapters after all of the media are found by the index of elements")
    func atTheEnd() async throws {
      let path = try source("in.mkv")
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let name: [UInt8] = [0x10, 0x43, 0xa7, 0x70]
      let entry = try #require(bytes.firstRange(of: name + [0x53, 0xac, 0x82]))
      let place = try #require(bytes[entry.upperBound...].firstRange(of: name)).lowerBound
      let size = 5 + Int(bytes[place + 4] & 0x7f)
      let list = Array(bytes[place..<place + size])
      // In its place are bytes that mean nothing.
      bytes.replaceSubrange(
        place..<place + 9, with: [0xec, 1, 0, 0, 0, 0, 0, 0, UInt8(size - 9)])
      let segment = try #require(bytes.firstRange(of: [0x18, 0x53, 0x80, 0x67])).upperBound + 8
      let position = bytes.count - segment
      bytes.replaceSubrange(
        entry.upperBound..<entry.upperBound + 2,
        with: [UInt8(position >> 8), UInt8(position & 255)])
      bytes += list
      let length = bytes.count - segment
      for index in 0..<4 { bytes[segment - 1 - index] = UInt8(length >> (8 * index) & 255) }
      let moved = try scratch.write(bytes, to: "moved.mkv")
      #expect(try chapters(moved) == Self.listed)
      let found = try await copy(moved, to: scratch.path("out.mp4"))
      #expect(found == Self.listed)
    }

    @Test("a file whose chapters are damaged is read all the same")
    func damaged() async throws {
      let path = try source("in.mkv")
      let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let entries = try #require(whole.firstRange(of: [0x45, 0xb9])).lowerBound
      var random = SeededNumbers(state: 1)
      for _ in 0..<60 {
        var bytes = whole
        for _ in 0..<3 {
          bytes[entries + Int.random(in: 0..<90, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        let broken = try scratch.write(bytes, to: "broken.mkv")
        let found = MatroskaChapters.read(try File(broken), bytes)
        #expect(found.count <= 2 && found.allSatisfy { $0.title.utf8.count <= 90 }, "\(found)")
      }
    }
  }
}
