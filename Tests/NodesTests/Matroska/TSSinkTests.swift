import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

@testable import Containers

/// Transport streams of `tsSink`, as ffmpeg reads them.
@Suite(.inTurn) struct TSSinkTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  struct Case: Sendable, CustomTestStringConvertible {
    var video: String
    var audio: String
    var target = "out.ts"
    var codecs: [String]
    var testDescription: String { "\(codecs) to \(target)" }
  }

  static let cases = [
    Case(video: "libx264 -bf 2 -g 10", audio: "aac", codecs: ["h264", "aac"]),
    Case(video: "libx264 -bf 0", audio: "aac", target: "out.m2ts", codecs: ["h264", "aac"]),
    Case(
      video: "libx265 -x265-params log-level=error", audio: "libmp3lame", codecs: ["hevc", "mp3"]),
    Case(video: "mpeg2video", audio: "ac3", codecs: ["mpeg2video", "ac3"]),
    Case(video: "libx264", audio: "libopus", codecs: ["h264", "opus"]),
    Case(video: "libx264", audio: "mp2", codecs: ["h264", "mp2"]),
  ]

  @Test(arguments: cases) func everyPacketIsCopied(_ copied: Case) async throws {
    let (source, path) = (scratch.path("in.mkv"), scratch.path(copied.target))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=96x72:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -c:v \(copied.video)",
      "-pix_fmt yuv420p -c:a \(copied.audio) -metadata:s:a language=deu", to: source)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "out": { "type": "tsSink", "path": "\(path)" } },
        "wires": ["in.video -> out.video", "in.audio -> out.audio"] }
      """)
    let report = try await run.run()
    #expect(report.state == .completed && report.unbalanced == [], "\(report)")
    #expect(report.warnings == nil, "\(report.warnings ?? [])")
    #expect(try names(path) == copied.codecs)
    #expect(try decodeComplaints(path) == "")
    // Its first frame is a key frame, whose parameter sets come with it.
    #expect(try videoFrames(path) == videoFrames(source))
    let tracks = try #require(report.outputs.first?.contents?.tracks)
    #expect(tracks.map(\.sampleCount)[0] == 25 && tracks.map(\.kind) == [.video, .audio])
    #expect(abs(tracks[0].duration - 1) < 0.05 && abs(tracks[1].duration - 1) < 0.05, "\(tracks)")
    let size = copied.target == "out.ts" ? 188 : 192
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count % size == 0)
    let sounds = (try decodedSound(of: source).count, try decodedSound(of: path).count)
    #expect(abs(sounds.0 - sounds.1) <= 2_304, "\(sounds)")
  }

  private func videoFrames(_ path: String) throws -> [Substring] {
    let words = ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough"]
    return String(decoding: try tool("ffmpeg", words + ["-f", "framemd5", "-"]), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last }
  }

  /// The codecs of a file's streams, each once: ffprobe lists those of a program, too.
  private func names(_ path: String) throws -> [String] {
    let found = try codecNames(path).map { $0.filter { $0 != "," } }.filter {
      !$0.isEmpty && $0 != "program"
    }
    return found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Encoders of the graph, and audio that stays with the video.
  @Test func whatIsEncodedStaysTogether() async throws {
    let path = scratch.path("out.ts")
    let run = try pipeline(
      """
      { "nodes": {
          "pattern": { "type": "testVideo", "width": 96, "height": 72, "seconds": 1 },
          "tone": { "type": "testAudio", "seconds": 1 },
          "video": { "type": "h264Encoder", "keyFrameInterval": 10 }, "audio": { "type": "aacEncoder" },
          "out": { "type": "tsSink", "path": "\(path)", "languages": { "audio": "de" } } },
        "wires": ["pattern -> video -> out.video", "tone -> audio -> out.audio"] }
      """)
    let report = try await run.run()
    #expect(report.state == .completed && report.warnings == nil, "\(report)")
    #expect(try decodeComplaints(path) == "")
    let words = ["-v", "error", "-show_streams", "-of", "json", path]
    let text = String(decoding: try tool("ffprobe", words), as: UTF8.self)
    let starts = text.matches(of: /"start_time": "([\d.]+)"/).compactMap { Double($0.output.1) }
    #expect(starts.count == 2 && abs(starts[0] - starts[1]) < 0.034, "\(starts)")
    #expect(text.contains(#""language": "deu""#) || text.contains(#""language": "ger""#))
    // Parameter sets come with each key frame, so that players can begin anywhere.
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let late = try scratch.write(bytes[(bytes.count / 2 / 188 * 188)...], to: "late.ts")
    #expect(try videoFrames(late).count > 5)
  }

  @Test func whatIsCutIsReadUpToItsEnd() async throws {
    let path = scratch.path("in.ts")
    try ffmpeg("-f lavfi -i testsrc2=s=96x72:r=25:d=1 -c:v libx264 -bf 0", to: path)
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let found = try TransportReader.read(path)
    #expect(found.tracks.map(\.codec) == ["H.264"] && found.tracks.map(\.sampleCount) == [25])
    #expect(abs(found.duration - 1) < 0.001)
    for count in [0, 187, 188, 600, 5_000, whole.count - 7] {
      let cut = try scratch.write(whole.prefix(count), to: "cut.ts")
      let samples = (try? TransportReader.read(cut))?.tracks.first?.sampleCount
      #expect(samples == nil ? count < 1_000 : (0...25).contains(samples ?? -1))
    }
  }

  /// SRT gives up after 3 s else, which would end the run, and a recording with it.
  @Test func aCallerOfSRTNeverGivesUp() throws {
    func address(_ uri: String) throws -> String? {
      var sink = SRTSink()
      sink.uri = uri
      return try sink.properties(of: "srtsink", ["video": .encoded(.h264)])["uri"]
    }
    #expect(try address("srt://a:1") == "srt://a:1?conntimeo=2000000000")
    #expect(try address("srt://a:1?latency=9") == "srt://a:1?latency=9&conntimeo=2000000000")
    #expect(try address("srt://a:1?conntimeo=9") == "srt://a:1?conntimeo=9")
    #expect(try address("srt://:1?mode=listener") == "srt://:1?mode=listener")
    var queue = SRTSink()
    (queue.uri, queue.bufferSize) = ("srt://a:1", 100_000)
    let properties = try queue.properties(of: "queue", ["video": .encoded(.h264)])
    #expect(properties["max-size-bytes"] == "100000" && properties["leaky"] == "downstream")
  }

  /// Bytes that are anything else are an error or a summary, and never end the process.
  @Test(arguments: ["a.ts", "a.mkv"]) func damagedFilesAreRead(_ name: String) throws {
    let path = scratch.path(name)
    try ffmpeg(
      "-f lavfi -i testsrc2=s=48x32:r=5:d=1 -f lavfi -i sine=r=8000:d=1 -c:v mpeg2video",
      "-b:v 20k -c:a mp2 -ar 16000 -metadata title=a", to: path)
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var state: UInt64 = 1
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0...random(8) { bytes[random(min(bytes.count, 2_000))] = UInt8(random(256)) }
      let damaged = try scratch.write(bytes.prefix(random(bytes.count) + 1), to: name)
      _ = try? TransportReader.read(damaged)
      _ = try? MatroskaReader.read(damaged)
      try? MatroskaRepair.mend(damaged, preSkips: [1: 312])
    }
    #expect(whole.count > 1_000)
  }

  @Test func otherNamesAndLanguagesAreProblems() {
    var sink = TSSink()
    sink.path = "a.mp4"
    #expect(sink.problem?.key == "path")
    sink.path = "a.TS"
    #expect(sink.problem == nil)
    sink.languages = ["audio": .string("de")]
    #expect(sink.problem(formats: ["video": .encoded(.h264)])?.key == "languages")
    var turned = FormatConstraint.encoded(.h264)
    turned.rotation = .rotate90
    sink.languages = [:]
    #expect(sink.problem(formats: ["video": turned])?.remedy.contains("orientation") == true)
  }
}
