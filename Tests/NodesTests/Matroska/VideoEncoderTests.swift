import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What the encoders of libvpx and libaom make, as ffmpeg reads it.
@Suite(.inTurn) struct VideoEncoderTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  static let types = ["vp8Encoder", "vp9Encoder", "av1Encoder"]

  /// Encodes a test pattern; returns the file.
  private func encode(
    _ type: String, _ settings: String = "", frames: Int = 25, size: (Int, Int) = (96, 72),
    pattern: String = "smpte"
  ) async throws -> String {
    let path = scratch.path("\(UUID().uuidString).webm")
    let run = try pipeline(
      """
      { "nodes": {
          "pattern": { "type": "testVideo", "pattern": "\(pattern)", "width": \(size.0),
                       "height": \(size.1), "frameRate": 25, "frames": \(frames) },
          "encoder": { "type": "\(type)"\(settings) },
          "out": { "type": "matroskaSink", "path": "\(path)" } },
        "wires": ["pattern -> encoder -> out.video"] }
      """)
    let report = try await run.run()
    #expect(report.state == .completed && report.unbalanced == [] && report.warnings == nil)
    return path
  }

  /// Which frames of a file are key frames.
  private func keyFrames(_ path: String) throws -> [Int] {
    let words = ["-v", "error", "-show_entries", "packet=flags", "-of", "csv=p=0", path]
    let lines = String(decoding: try tool("ffprobe", words), as: UTF8.self).split(separator: "\n")
    return lines.indices.filter { lines[$0].hasPrefix("K") }
  }

  @Test(arguments: types, [(96, 72), (97, 73)])
  func everyFrameIsEncoded(_ type: String, _ size: (Int, Int)) async throws {
    let path = try await encode(type, #", "keyFrameInterval": 10"#, size: size)
    #expect(try codecNames(path) == [type.dropLast("Encoder".count).lowercased()])
    #expect(try packetCount(path) == 25)
    #expect(try decodedFrames(path).count == 25)
    #expect(try decodeComplaints(path) == "")
    let keys = try keyFrames(path)
    #expect(keys.first == 0 && keys.count >= 3)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 - $0 <= 10 }, "\(keys)")
  }

  @Test(arguments: types) func aLowerQualityIsSmaller(_ type: String) async throws {
    var sizes: [Int] = []
    for quality in [5, 30, 60] {
      let path = try await encode(
        type, #", "quality": \#(quality)"#, frames: 8, pattern: "snow")
      sizes.append(try Data(contentsOf: URL(fileURLWithPath: path)).count)
    }
    #expect(sizes[0] > sizes[1] * 5 / 4 && sizes[1] > sizes[2] * 5 / 4, "\(sizes)")
  }

  /// Noise takes all that it gets.
  @Test(arguments: types) func theBitRateIsKept(_ type: String) async throws {
    let path = try await encode(
      type, #", "bitRate": 400000"#, frames: 50, size: (160, 120), pattern: "snow")
    let bits = try Data(contentsOf: URL(fileURLWithPath: path)).count * 8
    #expect((200_000..<800_000).contains(bits / 2), "\(bits / 2)")
  }

  /// What was encoded looks like what entered: the mean error of a pixel is small.
  @Test(arguments: types) func framesAreThose(_ type: String) async throws {
    let path = try await encode(type, #", "quality": 10"#, frames: 4, pattern: "pinwheel")
    let raw = scratch.path("raw.avi")
    let run = try pipeline(
      """
      { "nodes": {
          "pattern": { "type": "testVideo", "pattern": "pinwheel", "width": 96, "height": 72,
                       "frameRate": 25, "frames": 4, "pixelFormat": "i420" },
          "mux": { "type": "gst", "element": "avimux" },
          "out": { "type": "gst", "element": "filesink", "properties": { "location": "\(raw)" } } },
        "wires": ["pattern -> mux.video", "mux -> out"] }
      """)
    #expect(try await run.run().state == .completed)
    let words = "-v info -nostdin -i \(path) -i \(raw) -lavfi psnr -f null -".split(separator: " ")
    let text = try tool("sh", ["-c", "ffmpeg \"$@\" 2>&1", "sh"] + words.map(String.init))
    let average = String(decoding: text, as: UTF8.self).firstMatch(of: /average:([\d.]+)/)
    #expect(average.flatMap { Double($0.output.1) } ?? 0 > 30)
  }

  /// Frames that an encoder holds back are in its latency, by which the queues beside it are sized: a
  /// graph whose audio takes another way doesn't stand still.
  @Test(arguments: ["vp9Encoder", "av1Encoder"])
  func whatItHoldsBackIsKnown(_ type: String) async throws {
    let (source, path) = (scratch.path("in.mkv"), scratch.path("out.webm"))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=r=48000:d=2 -c:v libx264",
      "-preset ultrafast -c:a libopus", to: source)
    let run = try pipeline(
      """
      { "nodes": {
          "in": { "type": "file", "path": "\(source)" },
          "encoder": { "type": "\(type)", "speed": 4, "lookahead": 25 },
          "out": { "type": "matroskaSink", "path": "\(path)" } },
        "wires": ["in.video -> encoder -> out.video", "in.audio -> out.audio"] }
      """)
    let report = try await run.run()
    #expect(report.state == .completed && report.unbalanced == [], "\(report)")
    #expect(try codecNames(path).count == 2)
    #expect(try decodeComplaints(path) == "")
  }

  @Test func latencyIsThatOfTheLookahead() {
    let formats = ["in": FormatConstraint.video(frameRate: Rational(25))]
    var (vp9, av1) = (VP9Encoder(), AV1Encoder())
    #expect(vp9.latency(formats: formats) == .zero && av1.latency(formats: formats) == .zero)
    (vp9.lookahead, av1.lookahead, av1.speed) = (25, 10, 6)
    #expect(vp9.latency(formats: formats) == MediaTime(value: 1, timescale: 1))
    #expect(av1.latency(formats: formats) == MediaTime(value: 10, timescale: 25))
    #expect(av1.problem == nil)
    av1.speed = 7
    #expect(av1.problem?.key == "lookahead")
  }

  @Test func sizesThatNoHeaderHoldsAreProblems() {
    let large = ["in": FormatConstraint.video(width: 16_384, height: 72)]
    #expect(VP8Encoder().problem(formats: large)?.message.contains("16383x16383") == true)
    #expect(VP9Encoder().problem(formats: large) == nil)
    #expect(AV1Encoder().problem(formats: ["in": .video(width: 8, height: 72)]) != nil)
    var both = VP9Encoder()
    (both.bitRate, both.quality) = (1_000_000, 20)
    #expect(both.problem?.key == "quality")
  }
}
