import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

/// The compressor and the gate: what a level becomes, and when.
@Suite("compressor and gate", .inTurn) struct LevelEffectsTests {
  private let format = AudioFormat(.f32, sampleRate: 48_000, channels: 1)

  private func steady<N: SwiftNode>(_ node: N, decibels: Double) throws -> Double {
    let level = Float(pow(10, decibels / 20))
    let harness = NodeHarness(node)
    try harness.push([Float](repeating: level, count: 9600), format: format)
    return 20 * log10(Double(try harness.values(as: Float.self).last ?? 0))
  }

  @Test("divides what is above the threshold by the ratio, with a knee")
  func staticCurve() throws {
    var node = Compressor()
    (node.threshold, node.ratio, node.knee, node.makeup) = (-20, 4, 10, 3)
    // In the knee: 3/4 (x + 5)² / 20 less, x above the threshold.
    let curve: [(Double, Double)] = [
      (-40, -40), (-26, -26), (-25, -25), (-20, -20.9375), (-17, -19.4), (-15, -18.75), (-8, -17),
      (0, -15),
    ]
    for (level, wanted) in curve {
      #expect(abs(try steady(node, decibels: level) - wanted - 3) < 0.001, "\(level) dB")
    }
  }

  @Test("does 63 % of a reduction in the attack, and undoes it in the release")
  func times() throws {
    var node = Compressor()
    (node.threshold, node.ratio, node.knee, node.attack, node.release) = (-20, 100, 0, 10, 50)
    let levels = [Float](repeating: 1, count: 4000) + [Float](repeating: 0.01, count: 4000)
    let harness = NodeHarness(node)
    try harness.push(levels, format: AudioFormat(.f32, sampleRate: 8000, channels: 1))
    let out = try harness.values(as: Float.self)
    let steady = 20 * 0.99
    func reduction(_ frame: Int) -> Double { -20 * log10(Double(out[frame] / levels[frame])) }
    #expect(abs(reduction(79) - steady * (1 - exp(-1))) < 0.01)
    #expect(abs(reduction(3999) - steady) < 0.001)
    #expect(abs(reduction(4000 + 399) - steady * exp(-1)) < 0.01)
  }

  @Test("turns all channels down by what the loudest needs")
  func linked() throws {
    var node = Compressor()
    node.threshold = -40
    let harness = NodeHarness(node)
    let stereo = AudioFormat(.f32, sampleRate: 48_000, channels: 2, layout: .planar)
    try harness.push(
      [Float](repeating: 0.8, count: 4800) + [Float](repeating: 0.001, count: 4800), format: stereo)
    let out = try harness.values(as: Float.self)
    #expect(abs(out[4799] / 0.8 - out[9599] / 0.001) < 1e-4 && out[4799] < 0.2)
  }

  @Test("a gate opens at its threshold and closes below the hysteresis, after the hold")
  func gate() throws {
    var node = Gate()
    (node.threshold, node.hysteresis) = (-20, 6)
    (node.attack, node.hold, node.release) = (1, 20, 10)
    let (below, between, above) = (Float(0.04), Float(0.06), Float(0.11))
    func run(_ parts: [(Float, Int)]) throws -> [Float] {
      let levels = parts.flatMap { [Float](repeating: $0.0, count: $0.1) }
      let harness = NodeHarness(node)
      try harness.push(levels, format: format)
      return zip(try harness.values(as: Float.self), levels).map { $0 / $1 }
    }
    // What lies between the two levels neither opens the gate nor lets it close.
    let gains = try run([(between, 480), (above, 480), (between, 1200), (below, 2400)])
    #expect(gains[..<480].allSatisfy { $0 == 0 })
    #expect(abs(gains[480 + 23] - 0.5) < 0.001 && gains[529..<2160].allSatisfy { $0 == 1 })
    #expect(gains[2160..<2160 + 960].allSatisfy { $0 == 1 })
    #expect(abs(gains[3120 + 239] - 0.5) < 0.001 && gains[3601...].allSatisfy { $0 == 0 })
    #expect(zip(gains, gains.dropFirst()).allSatisfy { abs($0 - $1) < 1 / 47 })
  }

  @Test("a closed gate makes softer by its reduction")
  func reduction() throws {
    var node = Gate()
    node.reduction = 20
    #expect(abs(try steady(node, decibels: -60) + 80) < 1e-3)
    #expect(abs(try steady(node, decibels: -30) + 30) < 1e-3)
  }

  @Test("live changes make no steps")
  func live() throws {
    let compressor = NodeHarness(Compressor())
    let gate = NodeHarness(Gate())
    let block = [Float](repeating: 0.05, count: 1600)
    try compressor.push(block, format: format)
    try gate.push(block, format: format)
    #expect(compressor.set("makeup", to: .number(12)) && compressor.set("ratio", to: .number(20)))
    #expect(compressor.set("threshold", to: .number(-60)))
    #expect(gate.set("threshold", to: .number(0)) && gate.set("reduction", to: .number(40)))
    for _ in 0..<20 {
      try compressor.push(block, format: format)
      try gate.push(block, format: format)
    }
    let (first, second) = (
      try compressor.values(as: Float.self), try gate.values(as: Float.self).dropFirst(200)
    )
    #expect(zip(first, first.dropFirst()).allSatisfy { abs($0 - $1) < 0.001 })
    #expect(zip(second, second.dropFirst()).allSatisfy { abs($0 - $1) < 0.001 })
    #expect(first.last != first[1500] && second.last ?? 1 < 0.001)
  }
}
