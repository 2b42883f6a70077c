import GraphKit
import GraphTesting
import Nodes
import Testing

@Test func sixDecibelsLessIsHalfAsLoud() throws {
  let harness = NodeHarness(Gain(decibels: -6.0206))
  let format = AudioFormat(.f32, sampleRate: 48_000, channels: 1)
  try harness.push([1, -0.5, 0.25] as [Float], format: format)
  try harness.finish()
  let halves = try harness.values(as: Float.self)
  #expect(zip(halves, [0.5, -0.25, 0.125]).allSatisfy { abs($0 - $1) < 0.0001 })
  #expect(halves.count == 3)
}
