import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("duck", .inTurn) struct DuckTests {
  private let format = AudioFormat(.f32, sampleRate: 48_000, channels: 1)

  private func harness(_ change: (inout Duck) -> Void = { _ in }) -> NodeHarness<Duck> {
    var node = Duck()
    node.channels = 1
    (node.attack, node.hold, node.release, node.reduction) = (1, 10, 5, 20)
    change(&node)
    return NodeHarness(node, inputs: ["in", "key"])
  }

  private func push(
    _ levels: [Float], at start: Int, to input: String, of harness: NodeHarness<Duck>
  ) throws {
    let description = try FormatDescription(.audio(format))
    try harness.push(SampleBuffer(pcm: levels, format: description, start: start), to: input)
  }

  private let music = [Float](repeating: 0.5, count: 9_600)

  @Test func goesDownWithTheKeyAndComesBack() throws {
    let harness = harness()
    try push(music, at: 0, to: "in", of: harness)
    let speech = (0..<4_800).map { Float($0 < 2_400 ? 0.3 : 0.001) }
    try push(speech, at: 1_200, to: "key", of: harness)
    try harness.finish("key")
    try harness.finish()
    let out = try harness.values(as: Float.self)
    #expect(out.count == music.count)
    #expect(out[..<1_200].allSatisfy { $0 == 0.5 })
    // 20 dB down once ten attacks have passed, until the hold is over, ten milliseconds after.
    #expect(out[1_680..<4_070].allSatisfy { abs($0 - 0.05) < 0.001 })
    #expect(out[4_090] > out[4_070] && out[4_079 + 240] > 0.05)
    #expect(out[8_000] > 0.499 && out[9_599] == 0.5)
  }

  @Test func waitsForTheKeyAndNotAfterItsEnd() throws {
    let harness = harness()
    try push(music, at: 0, to: "in", of: harness)
    #expect(try harness.samples().isEmpty)
    try push([0, 0, 0], at: 0, to: "key", of: harness)
    #expect(try harness.values(as: Float.self).count == 3)
    try harness.finish("key")
    #expect(try harness.values(as: Float.self) == music)
    try harness.finish()
  }

  @Test func aKeyThatNeverCameReducesNothing() throws {
    let harness = harness()
    try push(music, at: 480, to: "in", of: harness)
    try harness.finish("key")
    try harness.finish()
    #expect(try harness.values(as: Float.self) == music)
    #expect(try harness.samples().first?.presentationTime.frames(at: 48_000) == 480)
  }

  @Test func theReductionIsLive() throws {
    let harness = harness { $0.hold = 1_000 }
    try push(Array(music.prefix(960)), at: 0, to: "in", of: harness)
    try push([Float](repeating: 1, count: 9_600), at: 0, to: "key", of: harness)
    #expect(abs((try harness.values(as: Float.self).last ?? 0) - 0.05) < 0.001)
    #expect(harness.set("reduction", to: .number(0)))
    try push(music, at: 960, to: "in", of: harness)
    #expect(try harness.values(as: Float.self)[2_000] == 0.5)
    try harness.finish()
  }
}
