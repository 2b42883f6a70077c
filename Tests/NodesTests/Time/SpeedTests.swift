import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("speed", .inTurn) struct SpeedTests {
  private let stereo = AudioFormat(.f32, sampleRate: 16_000, channels: 2)

  private func spedUp(
    _ values: [Float], _ speed: Double, _ pitch: Speed.Pitch, blocks: Int = 1000
  ) throws -> [Float] {
    let harness = NodeHarness(
      Speed.with { ($0.media, $0.speed, $0.pitch) = (.audio, speed, pitch) })
    for start in stride(from: 0, to: values.count, by: blocks * 2) {
      try harness.push(
        Array(values[start..<min(values.count, start + blocks * 2)]), format: stereo)
    }
    try harness.finish()
    return try harness.values(as: Float.self)
  }

  private func tone(_ hertz: Double, seconds: Double) -> [Float] {
    AudioSignal.tone(hertz: hertz).values(
      0..<Int(seconds * 16_000), sampleRate: 16_000, channels: 2)
  }

  /// How often the first channel passes zero upwards, a second.
  private func pitch(_ values: [Float]) -> Double {
    let left = stride(from: 0, to: values.count, by: 2).map { values[$0] }
    let inner = left.dropFirst(left.count / 8).dropLast(left.count / 8)
    let count = zip(inner, inner.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(count) * 16_000 / Double(inner.count)
  }

  @Test("audio gets exactly as long as is said", arguments: [0.1, 0.5, 0.97, 1.5, 2, 7.3, 100])
  func length(_ speed: Double) throws {
    let count = speed < 1 ? 4_001 : 40_001
    let values = AudioSignal.noise(seed: 3).values(0..<count, sampleRate: 16_000, channels: 2)
    let wanted = Int((Double(count) / speed).rounded()) * 2
    for pitch in Speed.Pitch.allCases {
      let result = try spedUp(values, speed, pitch)
      #expect(result.count == wanted && result.allSatisfy { $0.isFinite }, "\(pitch)")
    }
  }

  @Test("the pitch stays, or follows", arguments: [0.5, 1.3, 2, 4])
  func pitch(_ speed: Double) throws {
    let values = tone(330, seconds: 1)
    #expect(abs(pitch(try spedUp(values, speed, .keep)) - 330) < 8)
    #expect(abs(pitch(try spedUp(values, speed, .follow)) - 330 * speed) < 8)
  }

  @Test("a tone stays as loud, without gaps or clicks", arguments: [0.6, 1.7, 3])
  func loudness(_ speed: Double) throws {
    for pitch in Speed.Pitch.allCases {
      let result = try spedUp(tone(330, seconds: 1), speed, pitch)
      let inner = Array(result.dropFirst(result.count / 8).dropLast(result.count / 8))
      let steps = zip(inner, inner.dropFirst(2)).map { abs($0 - $1) }
      let parts = stride(from: 0, to: inner.count - 400, by: 400).map { start in
        inner[start..<start + 400].map(abs).max() ?? 0
      }
      #expect(parts.allSatisfy { (0.4...0.6).contains($0) }, "\(pitch) \(parts)")
      let hertz: Double = pitch == .follow ? 330 * speed : 330
      let steepest = Float(hertz * 2 * Double.pi / 16_000 * 0.5)
      #expect((steps.max() ?? 9) < steepest * 1.5, "\(pitch)")
    }
  }

  @Test("a faster tape has nothing fold back")
  func aliases() throws {
    // 5 kHz would become 15 kHz, which 16 kHz can't hold.
    let result = try spedUp(tone(5_000, seconds: 0.5), 3, .follow)
    let inner = result.dropFirst(400).dropLast(400)
    #expect((inner.map(abs).max() ?? 1) < 0.01)
  }

  @Test("what is sent doesn't depend on how it was cut")
  func cuts() throws {
    let values = AudioSignal.noise(seed: 5).values(0..<6_000, sampleRate: 16_000, channels: 2)
    for pitch in Speed.Pitch.allCases {
      let whole = try spedUp(values, 1.7, pitch, blocks: 6_000)
      for blocks in [1, 7, 333, 1024] {
        #expect(try spedUp(values, 1.7, pitch, blocks: blocks) == whole, "\(pitch) \(blocks)")
      }
    }
  }

  @Test("what isn't a number doesn't get through, and a gap stays one")
  func gaps() throws {
    let harness = NodeHarness(Speed.with { ($0.media, $0.speed) = (.audio, 2) })
    let description = try FormatDescription(.audio(stereo))
    let broken = SampleBuffer(pcm: [Float](repeating: .nan, count: 8_000), format: description)
    try harness.push(broken)
    var late = SampleBuffer(pcm: tone(330, seconds: 0.25), format: description)
    late.presentationTime = MediaTime(value: 3, timescale: 1)
    try harness.push(late)
    try harness.finish()
    let samples = try harness.samples()
    let values = samples.flatMap { $0.values(as: Float.self) }
    #expect(values.allSatisfy { $0.isFinite })
    let starts = samples.map(\.presentationTime.seconds)
    #expect(
      starts.contains { abs($0 - 1.5) < 1e-6 } && starts.allSatisfy { $0 < 0.13 || $0 >= 1.5 })
  }

  private func lumas(_ speed: Double, _ frames: Speed.Frames, count: Int) throws -> [[Double]] {
    let harness = NodeHarness(Speed.with { ($0.speed, $0.frames) = (speed, frames) })
    for number in 0..<count {
      var picture = RawPicture.plain(.i420, 4, 4, [UInt8(10 + number * 10), 128, 128])
      picture.format.frameRate = Rational(25)
      try harness.push(picture.sample(at: Double(number) * 0.04))
    }
    try harness.finish()
    return try harness.samples().map {
      [
        ($0.presentationTime.seconds * 1e6).rounded() / 1e6,
        Double(try #require(RawPicture($0)).planes[0][0][0]),
      ]
    }
  }

  @Test("video is left out, repeated, mixed, or all of it is faster")
  func video() throws {
    #expect(try lumas(2, .choose, count: 6) == [[0, 10], [0.04, 30], [0.08, 50]])
    #expect(try lumas(2, .blend, count: 6) == [[0, 15], [0.04, 35], [0.08, 55]])
    #expect(try lumas(2, .all, count: 3) == [[0, 10], [0.02, 20], [0.04, 30]])
    #expect(try lumas(0.5, .choose, count: 2) == [[0, 10], [0.04, 10], [0.08, 20], [0.12, 20]])
    #expect(try lumas(0.5, .blend, count: 2) == [[0, 10], [0.04, 15], [0.08, 20], [0.12, 20]])
    #expect(try lumas(1, .choose, count: 2) == [[0, 10], [0.04, 20]])
  }

  @Test("a flash and its click stay together", arguments: [2, 0.5])
  func sync(_ speed: Double) async throws {
    let folder = try TestFolder()
    let (input, output) = (folder.path("in.mkv"), folder.path("out.mov"))
    // White and loud from 1.0 to 1.2 s.
    try ffmpeg(
      "-f lavfi -i color=white:s=64x48:r=25:d=2,drawbox=color=black:t=fill:enable='not(between(t,0.99,1.19))'",
      "-f lavfi -i aevalsrc='0.5*sin(2500*t)*between(t,1,1.2)':s=48000:d=2",
      "-c:v ffv1 -pix_fmt yuv420p -c:a pcm_s16le", to: input)
    let report = try await pipeline(
      """
      { "nodes": { "f": { "type": "file", "path": "\(input)" },
                   "dv": { "type": "decoder", "media": "video" }, "da": { "type": "decoder" },
                   "v": { "type": "speed", "speed": \(speed) },
                   "a": { "type": "speed", "media": "audio", "speed": \(speed) },
                   "e": { "type": "h264Encoder", "preset": "ultrafast" }, "m": { "type": "mp4Sink", "path": "\(output)" } },
        "wires": ["f.video -> dv -> v -> e -> m.video", "f.audio -> da -> a -> m.pcm"] }
      """
    ).run()
    #expect(report.state == .completed, "\(report.failure as Any)")
    let frames = try DecodedFrames(of: output, 4, 4).frames.map { $0[0] > 128 }
    let sound = try decodedSound(of: output).map { abs(Int($0)) > 2_000 }
    let (flash, click) = (frames.firstIndex(of: true) ?? 0, sound.firstIndex(of: true) ?? 0)
    #expect(abs(Double(flash) / 25 - 1 / speed) < 0.021, "\(flash)")
    #expect(abs(Double(click) / 48_000 - 1 / speed) < 0.03, "\(click)")
    #expect(abs(Double(frames.count) / 25 - 2 / speed) < 0.041)
    #expect(abs(Double(sound.count) / 48_000 - 2 / speed) < 0.001)
  }
}
