import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("limiter", .inTurn) struct LimiterTests {
  private let format = AudioFormat(.f32, sampleRate: 48_000, channels: 2)

  private func node(_ ceiling: Double, lookAhead: Double = 5, release: Double = 20) -> Limiter {
    var node = Limiter()
    (node.ceiling, node.lookAhead, node.release) = (ceiling, lookAhead, release)
    return node
  }

  /// Bursts at random, up to forty times full scale, from the first sample on.
  private func bursts(seed: UInt64, frames: Int = 1500) -> [Float] {
    let noise = AudioSignal.noise(seed: seed).values(0..<2 * frames, sampleRate: 48_000)
    let sizes = AudioSignal.noise(seed: seed &+ 99).values(0..<frames, sampleRate: 48_000)
    return noise.enumerated().map { index, value in
      let size = sizes[index / 2 / 50]
      return value * (size > 0.5 ? 40 * size : size > 0 ? 1 : 0.1)
    }
  }

  @Test(
    "lets no sample over the ceiling",
    arguments: [0, -1, -6.5, -40], [0.0, 0.3, 5, 100])
  func brickWall(ceiling: Double, lookAhead: Double) throws {
    let limit = Float(pow(10, ceiling / 20))
    do {
      let sound = bursts(seed: 1)
      let harness = NodeHarness(node(ceiling, lookAhead: lookAhead))
      try harness.push(sound, format: format)
      try harness.finish()
      let out = try harness.values(as: Float.self)
      #expect(out.count == sound.count)
      #expect(out.allSatisfy { abs($0) <= limit })
      #expect(out.contains { abs($0) > 0.9 * limit })
    }
  }

  @Test("keeps whole numbers below the ceiling, too")
  func integers() throws {
    let sound = bursts(seed: 3).map { Int16(max(-32_768, min(32_767, $0 * 32_768))) }
    let out = try outputOfEveryCut(
      of: sound, format: AudioFormat(.s16, sampleRate: 48_000, channels: 2)
    ) { node(-6) }
    #expect(out.map { abs(Int($0)) }.max() == Int(32_768 * pow(10, -0.3)))
  }

  @Test("all channels keep their proportion, and the gain is smooth before a peak")
  func smooth() throws {
    var sound = [Float](repeating: 0, count: 4000)
    for frame in 0..<2000 { (sound[2 * frame], sound[2 * frame + 1]) = (0.5, 0.25) }
    (sound[2000], sound[2001]) = (2, 1)
    let out = try outputOfEveryCut(of: sound, format: format) { node(0, lookAhead: 5) }
    #expect(zip(out, sound).allSatisfy { abs($0) <= abs($1) })
    for frame in 0..<2000 { #expect(out[2 * frame] == 2 * out[2 * frame + 1]) }
    let gains: [Float] = (0..<2000).map { out[2 * $0] / sound[2 * $0] }
    #expect(abs(gains[1000] - 0.5) < 1e-6 && gains[760 - 1] == 1)
    // Half of the way down in 240 frames, no step above one 241st of it.
    let steps = zip(gains, gains.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max() ?? 1 < 0.5 / 240)
    #expect(gains[1999] > 0.75 && gains[1999] < 1)
  }

  /// A quarter of the rate, sampled beside its peaks: they are 3 dB above all samples.
  private let between = (0..<9_600).map { Float(sin(.pi / 2 * Double($0 / 2) + .pi / 4)) }

  @Test("finds levels between samples where it is asked to")
  func truePeaks() throws {
    var node = node(-3)
    (node.truePeak, node.gain) = (false, 0)
    let limit = Float(pow(10, -3 / 20.0))
    let out = try outputOfEveryCut(of: between, format: format) { node }
    #expect(out.max().map { abs($0 - 0.7071) < 0.002 } == true)
    node.truePeak = true
    let limited = try outputOfEveryCut(of: between, format: format) { node }
    let middle = limited[4_000..<8_000]
    // The wave between them is as high as the limit, and so they are 3 dB below that.
    #expect(abs((middle.max() ?? 0) / limit - 0.7071) < 0.01, "\(middle.max() ?? 0)")
    #expect(limited.count == between.count)
  }

  @Test("makes all louder before it limits")
  func gain() throws {
    var node = node(-1)
    node.gain = 6.0206
    let out = try outputOfEveryCut(of: between.map { $0 / 8 }, format: format) { node }
    #expect(zip(out, between).allSatisfy { abs($0 - $1 / 4) < 1e-4 })
    let loud = try outputOfEveryCut(of: between, format: format) { node }
    #expect(loud.allSatisfy { abs($0) <= Float(pow(10, -1 / 20.0)) })
  }

  @Test("moves no sample in time")
  func times() throws {
    let description = try FormatDescription(.audio(format))
    let harness = NodeHarness(node(-6))
    var wanted: [MediaTime] = []
    for (index, start) in [100, 1100, 5000, 5001].enumerated() {
      var sample = SampleBuffer(
        pcm: [Float](repeating: 0.9, count: index == 2 ? 2 : 2000), format: description,
        start: start)
      sample.isDiscontinuity = index == 2
      wanted.append(sample.presentationTime)
      try harness.push(sample)
    }
    #expect(try harness.samples().count == 3)
    try harness.finish()
    let samples = try harness.samples()
    #expect(samples.map(\.presentationTime) == wanted)
    #expect(samples.map { $0.sample.isDiscontinuity } == [false, false, true, false])
    #expect(samples.map { $0.sample.frameCount } == [1000, 1000, 1, 1000])
  }

  @Test("declares what it looks ahead to, and comes back to a gain of one")
  func latency() throws {
    #expect(node(0, lookAhead: 5).latency == MediaTime(value: 5, timescale: 1000))
    let sound = [Float](repeating: 2, count: 200) + [Float](repeating: 0.5, count: 20_000)
    let harness = NodeHarness(node(0, release: 5))
    try harness.push(sound, format: format)
    try harness.finish()
    #expect(try harness.values(as: Float.self).last == 0.5)
  }
}
