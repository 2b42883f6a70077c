import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers

/// Copies of files of all codecs that a movie takes.
@Suite(.inTurn) struct MovieCodecTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// What ffmpeg encodes, and into which file; the port; where it is copied to; and its sample entry.
  struct Case: Sendable, CustomTestStringConvertible {
    var encoder: String
    var source: String
    var port: String
    var target: String
    var entry: String
    var signal = "testsrc2=s=96x72:r=25:d=1"
    /// What ffprobe calls the codec.
    var codec: String {
      encoder.hasPrefix("libvpx") ? "vp9" : encoder.hasPrefix("libaom") ? "av1" : ""
    }
    var testDescription: String { "\(encoder) from \(source) to \(target)" }
  }

  private static let tone = "sine=r=48000:d=1"
  private static let vp9 = "libvpx-vp9 -deadline realtime -cpu-used 8 -g 10"
  private static let av1 = "libaom-av1 -cpu-used 8 -g 10"

  static let cases = [
    Case(encoder: vp9, source: "a.webm", port: "video", target: "b.mp4", entry: "vp09"),
    Case(encoder: vp9, source: "a.mp4", port: "video", target: "b.mp4", entry: "vp09"),
    Case(
      encoder: vp9 + " -auto-alt-ref 1 -lag-in-frames 16 -deadline good", source: "a.mkv",
      port: "video", target: "b.mp4", entry: "vp09"),
    Case(
      encoder: vp9 + " -pix_fmt yuv444p10le", source: "a.webm", port: "video", target: "b.mp4",
      entry: "vp09"),
    Case(encoder: av1, source: "a.mp4", port: "video", target: "b.mp4", entry: "av01"),
    Case(encoder: av1, source: "a.mkv", port: "video", target: "b.mp4", entry: "av01"),
    Case(
      encoder: av1 + " -pix_fmt yuv420p10le", source: "a.webm",
      port: "video", target: "b.mp4", entry: "av01"),
    Case(
      encoder: "prores_ks -profile:v 0", source: "a.mov", port: "video", target: "b.mov",
      entry: "apco"),
    Case(
      encoder: "prores_ks -profile:v 3", source: "a.mov", port: "video", target: "b.mov",
      entry: "apch"),
    Case(
      encoder: "prores_ks -profile:v 4 -pix_fmt yuva444p10le", source: "a.mov", port: "video",
      target: "b.mov", entry: "ap4h"),
    Case(
      encoder: "eac3 -ac 6", source: "a.mp4", port: "audio", target: "b.mp4", entry: "ec-3",
      signal: tone),
    Case(
      encoder: "eac3", source: "a.mkv", port: "audio", target: "b.mp4", entry: "ec-3", signal: tone),
    Case(
      encoder: "eac3", source: "a.ts", port: "audio", target: "b.mov", entry: "ec-3", signal: tone),
  ]

  @Test(arguments: cases)
  func everyPacketIsCopied(_ copied: Case) async throws {
    let (source, path) = (scratch.path(copied.source), scratch.path(copied.target))
    try ffmpeg(
      "-f lavfi -i \(copied.signal) -c:\(copied.port.prefix(1)) \(copied.encoder)", to: source)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "movie": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["in.\(copied.port) -> movie.\(copied.port)"] }
      """)
    let report = try await run.run()
    #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
    let checker = try BoxChecker(path)
    #expect(checker.faults == [])
    #expect(checker.tracks.map(\.codec) == [copied.entry])
    let found = try #require(probe(path).first)
    #expect(copied.encoder.hasPrefix(found.codec_name) || copied.codec == found.codec_name)
    #expect(abs(found.start) < 0.000_1 && abs(found.end - 1) < 0.033, "\(found)")
    let frames = try decodedFrames(source)
    #expect(frames.count >= 25)
    #expect(try decodedFrames(path) == frames)

    let cut = try scratch.write(fragments(of: path), to: "cut.\(copied.target.suffix(3))")
    // ffmpeg doesn't skip priming to the sample in fragments.
    #expect(try decodedFrames(cut).dropFirst() == frames.dropFirst())
    #expect(try MovieRepair.repair(cut).wasFragmented)
    #expect(try BoxChecker(cut).faults == [])
    #expect(try decodedFrames(cut) == frames)
  }

  /// PCM stays as it is, to the bit.
  @Test(
    arguments: ["pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le"],
    ["b.mov", "b.mp4"])
  func everySampleOfPCMIsWritten(_ encoder: String, _ target: String) async throws {
    let (source, path) = (scratch.path("a.wav"), scratch.path(target))
    let channels = encoder == "pcm_s16le" ? 6 : 2
    let noise = (0..<channels).map { "random(\($0))-0.5" }.joined(separator: "|")
    try ffmpeg(
      "-f lavfi -i aevalsrc=\(noise):s=44100:d=0.5:c=\(channels == 6 ? "5.1" : "stereo")",
      "-c:a \(encoder)", to: source)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "movie": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["in.audio -> movie.pcm"] }
      """)
    let report = try await run.run()
    #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
    let checker = try BoxChecker(path)
    #expect(checker.faults == [])
    #expect(checker.tracks.map(\.sampleCount) == [22_050])
    // ffmpeg 5.1 knows the integers of ISO/IEC 23003-5, and not yet its floating-point numbers.
    if checker.tracks.map(\.codec) == ["fpcm"] { return }
    let found = try #require(probe(path).first)
    #expect(found.codec_name == encoder && found.start == 0 && found.end == 0.5)
    let samples = try pcm(source, encoder)
    #expect(samples.count > 85_000)
    #expect(try pcm(path, encoder) == samples)

    let cut = try scratch.write(fragments(of: path), to: "cut.\(target.suffix(3))")
    #expect(try pcm(cut, encoder) == samples)
    #expect(try MovieRepair.repair(cut).wasFragmented)
    #expect(try BoxChecker(cut).faults == [])
    #expect(try pcm(cut, encoder) == samples)
  }

  /// The samples of a file in which ffmpeg finds no fault.
  private func pcm(_ path: String, _ encoder: String) throws -> Data {
    let format = String(encoder.dropFirst(4))
    let words = ["-v", "error", "-i", path, "-c:a", encoder, "-f", format, "-"]
    return try tool("ffmpeg", words, inSilence: true)
  }

  /// Audio of a QuickTime movie goes on as it is, beside its video.
  @Test func pcmOfAMovieIsCopied() async throws {
    let (source, path) = (scratch.path("a.mov"), scratch.path("b.mov"))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=1 -f lavfi -i aevalsrc=random(0)-0.5:s=48000:d=1",
      "-c:v prores_ks -c:a pcm_s24le", to: source)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "movie": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["in.video -> movie.video", "in.audio -> movie.pcm"] }
      """)
    #expect(try await run.run().unbalanced == [])
    #expect(try BoxChecker(path).faults == [])
    #expect(try pcm(path, "pcm_s24le") == pcm(source, "pcm_s24le"))
  }

  /// ProRes has no name in MP4 files.
  @Test func whatAFileHasNoNameForIsRefused() throws {
    let source = scratch.path("a.mov")
    try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v prores_ks", to: source)
    let error = #expect(throws: (any Error).self) {
      try plan(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("b.mp4"))" } },
          "wires": ["in.video -> movie.video"] }
        """)
    }
    #expect("\(try #require(error))".contains("end it in .mov"))
  }

  /// An access unit of 7.1 channels: six blocks of five channels and a low-frequency one, and of
  /// those behind the listener.
  @Test func substreamsOfEAC3AreDescribed() {
    // Sync word; kind, number and size in words less one; 48 kHz, six blocks, mode, version 16.
    let first: [UInt8] = [0x0b, 0x77, 0x00, 0x05, 0x3f, 0x80, 0, 0, 0, 0, 0, 0]
    // A map of speakers that has just the pair at the rear.
    let second: [UInt8] = [0x0b, 0x77, 0x40, 0x05, 0x34, 0x80, 0x10, 0x20, 0x00, 0, 0, 0]
    let bytes = EAC3Configuration(first + second).bytes
    #expect(bytes == [0x00, 0x30, 0x20, 0x0f, 0x02, 0x02])
  }
}

/// Each frame of a file in which ffmpeg finds no fault, by its hash.
func decodedFrames(_ path: String) throws -> [String] {
  let words = ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"]
  return String(decoding: try tool("ffmpeg", words, inSilence: true), as: UTF8.self)
    .split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
    .compactMap { $0.split(separator: ",").last.map(String.init) }
}

/// A finished movie as it was before its last index: what a process leaves that is killed then.
func fragments(of path: String) throws -> [UInt8] {
  var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  func number(_ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }
  let body = number(0, 4)
  // An empty box, and that of the samples.
  bytes.removeSubrange((body + 8 + number(body + 8, 4))...)
  let header = [0, 0, 0, UInt8(16 + body)] + Array("free".utf8) + [UInt8](repeating: 0, count: 8)
  bytes.replaceSubrange(body..<body + 16, with: header)
  return bytes
}
