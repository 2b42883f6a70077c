import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct PolarityTests {
  let format = AudioFormat(.f32, sampleRate: 48_000, channels: 2)
  let noise = AudioSignal.noise(seed: 1).values(0..<2200, sampleRate: 48_000, channels: 2)

  @Test func turnsEverySampleHoweverTheSoundIsCut() throws {
    let turned = try outputOfEveryCut(of: noise, format: format) { Polarity() }
    #expect(turned == noise.map { -$0 })
  }

  @Test func changesWhileItRuns() throws {
    let harness = NodeHarness(Polarity())
    #expect(harness.set("inverted", to: .bool(false)))
    try harness.push(noise, format: format)
    #expect(try harness.values(as: Float.self) == noise)
  }
}
