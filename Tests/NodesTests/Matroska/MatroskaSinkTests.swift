import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

@testable import Containers

/// Files of `matroskaSink`, as ffmpeg reads them.
@Suite(.inTurn) struct MatroskaSinkTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// What ffmpeg encodes, into which file, and which one it is copied to.
  struct Case: Sendable, CustomTestStringConvertible {
    var encoder: String
    var source: String
    var target = "out.mkv"
    var isVideo: Bool { !encoder.hasPrefix("-c:a") }
    /// By how many samples the two may differ: what files skip in front, or at the end.
    var skipped = 0
    var testDescription: String { "\(encoder) from \(source) to \(target)" }
  }

  static let cases = [
    Case(encoder: "-c:v libx264 -g 10", source: "in.mp4"),
    Case(encoder: "-c:v libx265 -x265-params log-level=error", source: "in.mp4"),
    Case(encoder: "-c:v libvpx -g 10 -deadline realtime", source: "in.webm", target: "out.webm"),
    Case(
      encoder: "-c:v libvpx-vp9 -g 10 -deadline realtime -cpu-used 8", source: "in.mp4",
      target: "out.webm"),
    Case(encoder: "-c:v libaom-av1 -cpu-used 8 -g 10", source: "in.mp4", target: "out.webm"),
    Case(encoder: "-c:v mpeg4", source: "in.mp4"),
    Case(encoder: "-c:v mpeg2video", source: "in.mkv"),
    Case(encoder: "-c:v mjpeg", source: "in.mov"),
    Case(encoder: "-c:v prores_ks -profile:v 0", source: "in.mov"),
    Case(encoder: "-c:a libopus", source: "in.ogg", target: "out.webm"),
    // Of a movie ffmpeg decodes what follows its end, too.
    Case(encoder: "-c:a libopus", source: "in.mp4", target: "out.webm", skipped: 648),
    Case(encoder: "-c:a libopus", source: "in.mkv", target: "out.mkv"),
    Case(encoder: "-c:a libopus -frame_duration 2.5", source: "in.mkv", target: "out.mkv"),
    Case(encoder: "-c:a libopus -frame_duration 2.5", source: "in.ogg", target: "out.mkv"),
    Case(encoder: "-c:a libvorbis", source: "in.ogg", target: "out.webm", skipped: 1_024),
    Case(encoder: "-c:a aac", source: "in.m4a", target: "out.mka", skipped: 2_048),
    Case(encoder: "-c:a libmp3lame", source: "in.mp3", target: "out.mka", skipped: 2_304),
    Case(encoder: "-c:a mp2", source: "in.mp2", target: "out.mka"),
    Case(encoder: "-c:a flac", source: "in.flac", target: "out.mka"),
    Case(encoder: "-c:a ac3", source: "in.ac3", target: "out.mka"),
    Case(encoder: "-c:a eac3", source: "in.eac3", target: "out.mka"),
    Case(encoder: "-c:a dca -strict -2", source: "in.dts", target: "out.mka"),
  ]

  @Test(
    "chapters are in the file, each until the next, and none from after its end",
    arguments: ["out.mkv", "out.webm"])
  func chapters(_ name: String) async throws {
    let path = scratch.path(name)
    let report = try await pipeline(
      """
      { "nodes": {
          "camera": { "type": "testVideo", "width": 64, "height": 48, "frameRate": 4, "seconds": 3 },
          "picture": { "type": "vp8Encoder" },
          "file": { "type": "matroskaSink", "path": "\(path)", "chapters": [
            { "time": 1.5, "title": "Zwei – zweitens" }, { "time": 0, "title": "\\"One\\"" },
            { "time": 3.5, "title": "after the end" }] } },
        "wires": ["camera -> picture -> file.video"] }
      """
    ).run()
    #expect(report.state == .completed && report.warnings == nil, "\(report)")
    let words = [
      "-v", "error", "-show_chapters", "-show_entries", "chapter=start_time,end_time:chapter_tags",
      "-of", "csv=p=0", path,
    ]
    let lines = String(decoding: try tool("ffprobe", words), as: UTF8.self)
    #expect(lines == "0.000000,1.500000,\"\"\"One\"\"\"\n1.500000,3.000000,Zwei – zweitens\n")
    #expect(try decodeComplaints(path) == "")
  }

  @Test(arguments: cases) func everyPacketIsCopied(_ copied: Case) async throws {
    let (source, path) = (scratch.path(copied.source), scratch.path(copied.target))
    let signal = copied.isVideo ? "testsrc2=s=96x72:r=25:d=1" : "sine=r=48000:d=1"
    try ffmpeg("-f lavfi -i \(signal) -pix_fmt yuv420p \(copied.encoder)", to: source)
    let port = copied.isVideo ? "video" : "audio"
    let report = try await copy(source, to: path, ["\(port)"])
    #expect(report.state == .completed && report.unbalanced == [] && report.warnings == nil)
    #expect(try decodeComplaints(path) == "")
    #expect(try codecNames(path) == codecNames(source))
    if copied.isVideo {
      #expect(try decodedFrames(path) == decodedFrames(source))
    } else {
      let counts = (try decodedSound(of: source).count, try decodedSound(of: path).count)
      #expect(abs(counts.0 - counts.1) <= copied.skipped, "\(counts)")
    }
    let written = try #require(report.outputs.first?.contents?.tracks.first)
    #expect(try written.sampleCount == packetCount(path))
  }

  private func copy(
    _ source: String, to path: String, _ ports: [String], _ settings: String = ""
  ) async throws -> Report {
    let wires = ports.map { "\"in.\($0) -> out.\($0)\"" }.joined(separator: ", ")
    return try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "out": { "type": "matroskaSink", "path": "\(path)"\(settings) } },
        "wires": [\(wires)] }
      """
    ).run()
  }

  @Test func tracksTitlesAndLanguagesAreWritten() async throws {
    let (source, path) = (scratch.path("in.mkv"), scratch.path("out.mkv"))
    let subtitles = try scratch.write(
      "1\n00:00:00,200 --> 00:00:00,700\n<i>One</i> & two\n".utf8, to: "in.srt")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=96x72:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -f lavfi",
      "-i sine=300:r=48000:d=1 -i \(subtitles) -map 0 -map 1 -map 2 -map 3 -c:v libx264 -c:a aac",
      "-c:s srt", to: source)
    let report = try await copy(
      source, to: path, ["video", "audio", "audio.2", "text"],
      #"""
      , "title": "Hällo \"you\"", "tags": { "artist": "Ada", "date": "2026-01-31" },
      "languages": { "audio": "de", "audio.2": "pt-BR", "text": "fr" }
      """#)
    #expect(report.state == .completed && report.warnings == nil, "\(report)")
    let tracks = report.outputs.first?.contents?.tracks ?? []
    #expect(tracks.map(\.kind) == [.video, .audio, .audio, .text])
    // GStreamer writes how long a block is before the block.
    #expect(tracks.last.map { abs($0.duration - 0.5) < 0.002 } == true, "\(tracks)")
    let words = ["-v", "error", "-show_format", "-show_streams", "-of", "json", path]
    let answer = try JSONDecoder().decode(Probed.self, from: tool("ffprobe", words))
    let tags = answer.format.tags
    #expect(tags["TITLE"] == #"Hällo "you""# && tags["ARTIST"] == "Ada", "\(tags)")
    #expect(tags["DATE"] == "2026-01-31", "\(tags)")
    #expect(
      answer.streams.map { $0.tags?["language"] ?? "" }.dropFirst() == ["ger", "por", "fre"])
    #expect(answer.streams.map(\.codec_name) == ["h264", "aac", "aac", "subrip"])
    let text = try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "srt", "-"])
    #expect(String(decoding: text, as: UTF8.self).contains("One & two"))
    #expect(try decodeComplaints(path) == "")
  }

  private struct Probed: Decodable {
    struct Format: Decodable { var tags: [String: String] }
    struct Stream: Decodable {
      var codec_name: String
      var tags: [String: String]?
    }
    var format: Format
    var streams: [Stream]
  }

  @Test(arguments: ["pcm_s16le", "pcm_s24le", "pcm_f32le"])
  func pcmStaysAsItIs(_ codec: String) async throws {
    let (source, path) = (scratch.path("in.wav"), scratch.path("out.mka"))
    try ffmpeg("-f lavfi -i anoisesrc=r=44100:d=0.5:seed=1 -c:a \(codec)", to: source)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "out": { "type": "matroskaSink", "path": "\(path)" } },
        "wires": ["in.audio -> out.pcm"] }
      """)
    let report = try await run.run()
    #expect(report.state == .completed && report.warnings == nil)
    #expect(try codecNames(path) == [codec])
    func raw(_ path: String) throws -> Data {
      try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "f64le", "-"])
    }
    #expect(try raw(path) == raw(source))
  }

  /// A flash and a tone that begin at the same moment still do: to the nearest frame.
  @Test(arguments: ["vp9Encoder", "h264Encoder"])
  func videoAndAudioStayTogether(_ encoder: String) async throws {
    let (source, path) = (scratch.path("in.mov"), scratch.path("out.mkv"))
    try ffmpeg(
      "-f lavfi -i color=black:s=64x48:r=25:d=2,drawbox=c=white:t=fill:enable='gte(t,1)'",
      "-f lavfi -i aevalsrc=0.5*gte(t\\,1)*sin(2000*t):s=48000:d=2 -c:v mpeg4 -c:a pcm_s16le",
      to: source)
    let run = try pipeline(
      """
      { "nodes": {
          "in": { "type": "file", "path": "\(source)" },
          "video": { "type": "\(encoder)" }, "audio": { "type": "aacEncoder" },
          "out": { "type": "matroskaSink", "path": "\(path)" } },
        "wires": ["in.video -> video -> out.video", "in.audio -> audio -> out.audio"] }
      """)
    let report = try await run.run()
    #expect(report.state == .completed && report.unbalanced == [], "\(report)")
    let flash = try firstBright(path)
    let samples = try decodedSound(of: path)
    let tone = Double(samples.firstIndex { abs(Int($0)) > 3_000 } ?? 0) / 48_000
    // What the encoder puts before the audio moves both.
    #expect(abs(flash - 1 - 1_024.0 / 48_000) < 0.002, "\(flash)")
    #expect(abs(flash - tone) < 0.004, "\(flash) \(tone)")
  }

  private func firstBright(_ path: String) throws -> Double {
    let filter = "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-"
    let words = ["-v", "error", "-i", path, "-vf", filter, "-f", "null", "/dev/null"]
    let lines = String(decoding: try tool("ffmpeg", words), as: UTF8.self).split(separator: "\n")
    let index = try #require(
      lines.firstIndex { Double($0.split(separator: "=").last ?? "") ?? 0 > 128 })
    let time = try #require(lines[index - 1].firstMatch(of: /pts_time:([\d.]+)/)?.output.1)
    return Double(time) ?? .nan
  }

  @Test func whatAFileCannotHoldIsSaidAtCheck() {
    func problem(_ path: String, _ formats: [String: FormatConstraint]) -> NodeError? {
      var sink = MatroskaSink()
      sink.path = path
      return sink.problem ?? sink.problem(formats: formats)
    }
    #expect(problem("a.webm", ["video": .encoded(.vp9), "audio": .encoded(.opus)]) == nil)
    #expect(problem("a.MKV", ["video": .encoded(.h264), "audio": .encoded(.aac)]) == nil)
    let refused = problem("a.webm", ["video": .encoded(.h264)])
    #expect(refused?.message.contains("H.264 is wired to video") == true, "\(refused as Any)")
    #expect(problem("a.webm", ["audio": .encoded(.aac)])?.key == "path")
    #expect(problem("a.webm", ["text": FormatConstraint(.text)])?.remedy == "end it in .mkv")
    #expect(problem("a.webm", ["pcm": .audio([.s16])])?.key == "path")
    for name in ["a.mkv", "a.mka"] {
      let refused = problem(name, ["audio": .encoded(.alac)])
      #expect(
        refused?.message.hasPrefix("`\(name)` can't hold ALAC, which is wired to audio: ") == true,
        "\(refused as Any)")
      #expect(refused?.remedy.contains("flacEncoder") == true && refused?.key == nil)
    }
    #expect(problem("a.mka", ["video": .encoded(.vp8)])?.remedy == "end it in .mkv")
    #expect(problem("a.mp4", [:])?.message == "`a.mp4` is not named as a Matroska file")
    var turned = FormatConstraint.encoded(.h264)
    turned.rotation = .rotate90
    #expect(problem("a.mkv", ["video": turned])?.remedy.contains("orientation") == true)
    var sink = MatroskaSink()
    (sink.path, sink.languages) = ("a.mkv", ["audio": .string("de")])
    #expect(sink.problem(formats: ["video": .encoded(.vp9)])?.key == "languages")
    sink.tags = MovieLabels(json: .object(["track": .string("0")])) ?? sink.tags
    #expect(sink.problem?.key == "tags.track")
  }

  /// Video of a telephone is turned before it is encoded, since the file can't say that players should.
  @Test func videoIsEncodedUpright() async throws {
    let (plain, source) = (scratch.path("plain.mp4"), scratch.path("in.mp4"))
    let path = scratch.path("out.webm")
    try ffmpeg("-f lavfi -i testsrc2=s=96x72:r=25:d=0.2 -c:v libx264", to: plain)
    try ffmpeg("-i \(plain) -c copy -metadata:s:v rotate=90", to: source)
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" }, "e": { "type": "vp8Encoder" },
          "out": { "type": "matroskaSink", "path": "\(path)" } },
        "wires": ["in.video -> e -> out.video"] }
      """
    ).run()
    #expect(report.state == .completed && report.warnings == nil, "\(report)")
    let words = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path]
    let size = String(decoding: try tool("ffprobe", words), as: UTF8.self)
    #expect(size.hasPrefix("72,96"), "\(size)")
    await #expect(throws: (any Error).self) {
      try await copy(source, to: scratch.path("copy.mkv"), ["video"])
    }
  }

  @Test func aFileThatIsThereStays() async throws {
    let (source, path) = (scratch.path("in.webm"), scratch.path("out.webm"))
    try ffmpeg("-f lavfi -i testsrc2=s=96x72:r=25:d=1 -c:v libvpx -deadline realtime", to: source)
    _ = try scratch.write("old".utf8, to: "out.webm")
    await #expect(throws: (any Error).self) { try await copy(source, to: path, ["video"]) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
    let report = try await copy(source, to: path, ["video"], #", "overwrite": true"#)
    #expect(report.state == .completed)
    #expect(try packetCount(path) == 25)
  }

  /// What is left of a file at any byte is read up to its last whole sample, as ffmpeg reads it.
  @Test func aCutFileIsReadUpToItsEnd() async throws {
    let (source, path) = (scratch.path("in.webm"), scratch.path("out.mkv"))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=96x72:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -c:v libvpx",
      "-deadline realtime -c:a libopus", to: source)
    _ = try await copy(source, to: path, ["video", "audio"])
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let summary = try MatroskaReader.read(path)
    #expect(summary.tracks.map(\.codec) == ["V_VP8", "A_OPUS"] && !summary.isFragmented)
    #expect(summary.tracks[0].sampleCount == 25 && abs(summary.tracks[0].duration - 1) < 0.002)
    var counts: [Int] = []
    for share in [0, 1, 40, 300, whole.count / 2, whole.count - 1] {
      let cut = try scratch.write(whole.prefix(share), to: "cut.mkv")
      guard let found = try? MatroskaReader.read(cut) else {
        counts.append(-1)
        continue
      }
      #expect(found.isFragmented)
      counts.append(found.tracks[0].sampleCount)
    }
    #expect(counts.prefix(3) == [-1, -1, -1] && counts[4] > 5 && counts[4] < 25, "\(counts)")
    #expect(counts[5] == 25)
  }
}

/// The codecs of a file's streams, as ffprobe calls them.
func codecNames(_ path: String) throws -> [String] {
  let words = ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path]
  return String(decoding: try tool("ffprobe", words), as: UTF8.self)
    .split(whereSeparator: \.isNewline).map(String.init)
}
