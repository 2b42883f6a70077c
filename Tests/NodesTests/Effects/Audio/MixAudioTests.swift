import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("mixAudio", .inTurn) struct MixAudioTests {
  private let format = AudioFormat(.f32, sampleRate: 48_000, channels: 1)

  private func mixer(_ gains: [Double] = []) -> MixAudio {
    var node = MixAudio()
    (node.channels, node.gains) = (1, gains)
    return node
  }

  /// A harness of a mixer with some inputs.
  private func harness(_ node: MixAudio, inputs: Int = 2) -> NodeHarness<MixAudio> {
    NodeHarness(node, inputs: ["in"] + (2..<inputs + 1).map { "in.\($0)" })
  }

  private func push(
    _ levels: [Float], at start: Int, to input: String, of harness: NodeHarness<MixAudio>
  ) throws {
    let description = try FormatDescription(.audio(format))
    try harness.push(SampleBuffer(pcm: levels, format: description, start: start), to: input)
  }

  @Test("adds up by presentation time, to the sample, with silence at gaps and ends")
  func alignment() throws {
    let harness = harness(mixer())
    try push([0.25, 0.25, 0.25, 0.25], at: 10, to: "in", of: harness)
    try push([0.5], at: 12, to: "in.2", of: harness)
    try push([0.5, 0.5], at: 1000, to: "in.2", of: harness)
    try push([0.125], at: 1001, to: "in", of: harness)
    try harness.finish("in")
    try push([0.5], at: 1002, to: "in.2", of: harness)
    try harness.finish()
    var wanted = [Float](repeating: 0, count: 993)
    (wanted[0], wanted[1], wanted[2], wanted[3]) = (0.25, 0.25, 0.75, 0.25)
    (wanted[990], wanted[991], wanted[992]) = (0.5, 0.625, 0.5)
    #expect(try harness.values(as: Float.self) == wanted)
    let samples = try harness.samples()
    #expect(samples.first?.presentationTime.frames(at: 48_000) == 10)
    for (sample, next) in zip(samples, samples.dropFirst()) {
      #expect(sample.presentationTime + sample.duration == next.presentationTime)
    }
  }

  @Test("sends as far as all inputs have come")
  func readiness() throws {
    let harness = harness(mixer(), inputs: 3)
    try push([1, 1, 1], at: 0, to: "in", of: harness)
    try push([0, 0], at: 0, to: "in.3", of: harness)
    #expect(try harness.samples().isEmpty)
    try harness.finish("in.2")
    #expect(try harness.values(as: Float.self) == [1, 1])
    try harness.finish("in.3")
    #expect(try harness.values(as: Float.self) == [1, 1, 1])
  }

  @Test(
    "ends with the first, the longest or the shortest",
    arguments: [(MixAudio.Extent.first, 3), (.longest, 5), (.shortest, 2)])
  func extent(duration: MixAudio.Extent, count: Int) throws {
    var node = mixer()
    node.duration = duration
    for order in [["in", "in.2", "in.3"], ["in.3", "in.2", "in"]] {
      let harness = harness(node, inputs: 3)
      for input in order {
        let length = ["in": 3, "in.2": 2, "in.3": 5][input] ?? 0
        for frame in 0..<length { try push([0.25], at: frame, to: input, of: harness) }
        try harness.finish(input)
      }
      #expect(try harness.values(as: Float.self).count == count, "\(order)")
      #expect(harness.hasEnded)
    }
  }

  @Test("has a gain for each input, which changes in 10 ms")
  func gains() throws {
    let harness = harness(mixer([-20]))
    try push([1], at: 0, to: "in", of: harness)
    try push([0.5], at: 0, to: "in.2", of: harness)
    #expect(abs(try harness.values(as: Float.self)[0] - 0.6) < 1e-6)
    #expect(harness.set("gains", to: .array([.number(-20), .number(-144)])))
    #expect(!harness.set("gains", to: .array([.number(100)])))
    #expect(!harness.set("gains", to: .number(0)))
    try push([Float](repeating: 1, count: 500), at: 1, to: "in", of: harness)
    try push([Float](repeating: 0.5, count: 500), at: 1, to: "in.2", of: harness)
    let out = try harness.values(as: Float.self)
    #expect(zip(out, out.dropFirst()).allSatisfy { abs($0 - $1) < 0.5 / 479 })
    #expect(abs(out[240] - 0.35) < 0.002 && abs((out.last ?? 0) - 0.1) < 1e-6)
  }

  @Test("clips as it is told")
  func clips() throws {
    for (clip, wanted) in [
      (MixAudio.Clip.none, 1.8), (.hard, 1), (.soft, 0.5 + 0.5 * tanh(2.6)),
    ] {
      var node = mixer()
      node.clip = clip
      let harness = harness(node)
      try push([0.9, -0.9, 0.2], at: 0, to: "in", of: harness)
      try push([0.9, -0.9, 0.2], at: 0, to: "in.2", of: harness)
      let out = try harness.values(as: Float.self).map(Double.init)
      #expect(abs(out[0] - wanted) < 1e-6 && out[1] == -out[0] && abs(out[2] - 0.4) < 1e-6)
    }
  }

  @Test("what is no number is silence")
  func noNumbers() throws {
    let harness = harness(mixer())
    try push([.nan, .infinity, 0.5], at: 0, to: "in", of: harness)
    try push([0.25, 0.25, -.infinity], at: 0, to: "in.2", of: harness)
    #expect(try harness.values(as: Float.self) == [0.25, 0.25, 0.5])
  }

  @Test("refuses sound of another format, and says what to do")
  func refusal() throws {
    let harness = harness(MixAudio())
    let error = #expect(throws: NodeError.self) { try push([0], at: 0, to: "in", of: harness) }
    #expect(error?.remedy.contains("audioConvert") == true)
  }

  @Test("gives the same however its inputs are cut")
  func cuts() throws {
    let (a, b) = (
      AudioSignal.noise(seed: 1).values(0..<3000, sampleRate: 48_000),
      AudioSignal.noise(seed: 2).values(0..<2500, sampleRate: 48_000)
    )
    var outputs: [[Float]] = []
    for (first, second) in [(BlockCut.whole, BlockCut.whole), (.odd, .whole), (.oneFrame, .odd)] {
      let harness = harness(mixer([-6, -3]))
      for range in first.blocks(of: a.count) {
        try push(Array(a[range]), at: range.lowerBound, to: "in", of: harness)
      }
      for range in second.blocks(of: b.count) {
        try push(Array(b[range]), at: range.lowerBound + 77, to: "in.2", of: harness)
      }
      try harness.finish()
      outputs.append(try harness.values(as: Float.self))
    }
    #expect(outputs[0].count == 3000 && outputs[1] == outputs[0] && outputs[2] == outputs[0])
  }

  @Test("time stamps in whole milliseconds leave no holes")
  func jitter() throws {
    let harness = harness(mixer(), inputs: 1)
    let description = try FormatDescription(.audio(format))
    for index in 0..<20 {
      var sample = SampleBuffer(pcm: [Float](repeating: 1, count: 1024), format: description)
      sample.presentationTime = MediaTime(value: Int64(index * 1024 / 48), timescale: 1000)
      try harness.push(sample)
    }
    try harness.finish()
    #expect(try harness.values(as: Float.self) == [Float](repeating: 1, count: 20 * 1024))
  }
}
