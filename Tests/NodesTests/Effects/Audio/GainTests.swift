import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("gain", .inTurn)
struct GainTests {
  private func format(
    _ sampleFormat: SampleFormat, channels: Int = 2, layout: ChannelLayout = .interleaved
  ) -> AudioFormat {
    AudioFormat(sampleFormat, sampleRate: 48_000, channels: channels, layout: layout)
  }

  @Test(
    "multiplies f32 by ten to the twentieth of the decibels",
    arguments: [(0.0, 1.0), (-6, 0.501187), (6, 1.995262), (-20, 0.1), (20, 10), (-144, 0)])
  func factor(decibels: Double, factor: Double) throws {
    let harness = NodeHarness(Gain(decibels: decibels))
    try harness.push([1, -0.5, 0, 0.25] as [Float], format: format(.f32))
    let values = try harness.values(as: Float.self)
    let wanted = [1, -0.5, 0, 0.25].map { Float($0 * factor) }
    #expect(zip(values, wanted).allSatisfy { abs($0 - $1) <= 1e-5 * max(1, abs($1)) })
    #expect(values.count == 4)
  }

  @Test(
    "rounds s16 to the nearest value and stops at the ends of the scale",
    arguments: [
      (6.0, [100, -100, 0, 1, 20_000, -20_000], [200, -200, 0, 2, 32_767, -32_768]),
      (-20, [100, -100, 0, 4, 32_767, -32_768], [10, -10, 0, 0, 3277, -3277]),
      (0, [32_767, -32_768], [32_767, -32_768]),
    ] as [(Double, [Int16], [Int16])])
  func integers(decibels: Double, values: [Int16], wanted: [Int16]) throws {
    let harness = NodeHarness(Gain(decibels: decibels))
    try harness.push(values, format: format(.s16))
    #expect(try harness.values(as: Int16.self) == wanted)
  }

  @Test("of 0 dB changes no bit")
  func unity() throws {
    let odd: [Float] = [.nan, .infinity, -0.0, .leastNonzeroMagnitude]
    let harness = NodeHarness(Gain())
    try harness.push(odd, format: format(.f32))
    #expect(try harness.values(as: UInt32.self) == odd.map(\.bitPattern))
  }

  @Test("gives the same however the sound is cut", arguments: ChannelLayout.allCases)
  func cuts(layout: ChannelLayout) throws {
    let values = AudioSignal.noise(seed: 1).values(0..<2200, sampleRate: 48_000, channels: 2)
    let louder = try outputOfEveryCut(of: values, format: format(.f32, layout: layout)) {
      Gain(decibels: 6.0206)
    }
    #expect(zip(louder, values).allSatisfy { abs($0 - 2 * $1) < 1e-4 })
    #expect(louder.count == values.count)
  }

  @Test("keeps times and format, and sends nothing of its own")
  func transparent() throws {
    let harness = NodeHarness(Gain(decibels: 3))
    try harness.push(Array(repeating: Float(0), count: 96), format: format(.f32))
    try harness.push([0, 0, 0, 0] as [Float], format: format(.f32))
    try harness.finish()
    let samples = try harness.samples()
    #expect(samples.map(\.presentationTime) == [.zero, MediaTime(value: 1, timescale: 1000)])
    #expect(samples.map(\.format) == [.audio(format(.f32)), .audio(format(.f32))])
  }

  @Test("changes while it runs, in 10 ms")
  func live() throws {
    let harness = NodeHarness(Gain())
    try harness.push([1, 1] as [Float], format: format(.f32))
    #expect(harness.set("decibels", to: .number(-20)))
    try harness.push([Float](repeating: 1, count: 1000), format: format(.f32))
    let left = try harness.values(as: Float.self).enumerated().filter { $0.offset % 2 == 0 }
      .map(\.element)
    for (frame, value) in left.enumerated() {
      let way = Float(max(0, min(480, frame))) / 480
      #expect(abs(value - (1 - 0.9 * way)) < 1e-6)
    }
    #expect(!harness.set("decibels", to: .number(100)))
  }

  @Test("refuses what it can't work on, and says what to do")
  func refusal() throws {
    let harness = NodeHarness(Gain(decibels: 3))
    let error = #expect(throws: NodeError.self) {
      try harness.push([0, 0] as [Int32], format: format(.s32))
    }
    #expect(
      error?.description == "gain works on f32 and s16, not on s32; put an audioConvert before it")
  }

  @Test("sends no more where nobody takes more")
  func demand() throws {
    let harness = NodeHarness(Gain(decibels: 3))
    harness.demand = 0
    #expect(throws: HarnessError.noDemand(output: "out")) {
      try harness.push([0, 0] as [Float], format: format(.f32))
    }
  }

  @Test("leaves a block that others hold as it was")
  func shared() throws {
    let description = try FormatDescription(.audio(format(.f32)))
    let sample = CollectedSample(SampleBuffer(pcm: [1, 1] as [Float], format: description))
    let harness = NodeHarness(Gain(decibels: -20))
    try harness.push([sample, sample])
    #expect(sample.values(as: Float.self) == [1, 1])
    #expect(try harness.values(as: Float.self).map { ($0 * 10).rounded() } == [1, 1, 1, 1])
  }
}
