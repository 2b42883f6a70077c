import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct DeadlockTests {
  private static let sound = FormatConstraint.audio([.f32], sampleRates: [48_000], channels: [2])

  /// Two encoders behind one source, one with a lookahead, into one movie.
  private var fork: Sketch {
    var sketch = Sketch()
    sketch.add("source", FakeElement<SourceTag>.self, [output(Self.sound)])
    sketch.add("slow", FakeElement<EffectTag>.self, through(Self.sound), latency: 3)
    sketch.add("fast", FakeElement<EffectTag>.self, through(Self.sound))
    sketch.add(
      "movie", FakeElement<SinkTag>.self, [input(Self.sound, "a"), input(Self.sound, "b")])
    sketch.wire("source -> slow -> movie.a", "source -> fast -> movie.b")
    return sketch
  }

  @Test func `a fork into a lookahead runs to its end with computed queues only`() throws {
    let plan = try Plan(fork.graph)
    let steps = plan.nodes.map { _ in 20 }
    var sized = try Simulation(plan, steps: steps)
    let isSafe = sized.reachesEnd()
    #expect(isSafe)
    var unsized = try Simulation(unsized(fork.graph), steps: steps)
    let isUnsafe = !unsized.reachesEnd()
    #expect(isUnsafe)
  }

  /// A plan whose queues are as if there were no latencies.
  private func unsized(_ graph: Graph) throws -> Plan {
    try Plan(graph, passes: [Negotiate(), FuseStages(), SizeQueues(holdsDelays: false)])
  }

  @Test func `without computed sizes many such graphs stand still`() throws {
    var still = 0
    for seed in 0..<30 {
      var random = SplitMix(seed: UInt64(seed))
      let plan = try unsized(Self.sketch(&random).graph)
      var simulation = try Simulation(plan, steps: plan.nodes.map { _ in 60 })
      if !simulation.reachesEnd() { still += 1 }
    }
    #expect(still >= 10)
  }

  @Test(arguments: 0..<100) func `graphs with forks and joins run to their end`(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let sketch = Self.sketch(&random)
    let plan = try Plan(sketch.graph)
    var simulation = try Simulation(
      plan, steps: plan.nodes.map { _ in Int.random(in: 40...100, using: &random) })
    let ends = simulation.reachesEnd()
    #expect(ends, "\(plan)")
  }

  /// Some sources, then nodes with one to three inputs, each fed by any node before.
  static func sketch(_ random: inout SplitMix) -> Sketch {
    var sketch = Sketch()
    var names: [String] = []
    for number in 0..<Int.random(in: 1...3, using: &random) {
      names.append("source\(number)")
      if Bool.random(using: &random) {
        sketch.add(names[number], FakeElement<SourceTag>.self, [output(sound)])
      } else {
        sketch.add(names[number], FakeProducer.self, [output(sound)])
      }
    }
    for number in 0..<Int.random(in: 2...14, using: &random) {
      let count: Int = [1, 1, 1, 2, 2, 3].randomElement(using: &random) ?? 1
      let ports = (0..<count).map { input(sound, "in\($0)") } + [output(sound, follows: "in0")]
      let latency: Double = [0, 0, 0.3, 1.5, 3].randomElement(using: &random) ?? 0
      if Bool.random(using: &random) {
        sketch.add("n\(number)", FakeSwift<EffectTag>.self, ports, latency: latency)
      } else {
        sketch.add("n\(number)", FakeElement<EffectTag>.self, ports, latency: latency)
      }
      for port in 0..<count {
        sketch.wire("\(names.randomElement(using: &random) ?? "source0") -> n\(number).in\(port)")
      }
      names.append("n\(number)")
    }
    return sketch
  }
}

/// Numbers that look random and are the same each time (SplitMix64).
struct SplitMix: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var mixed = seed
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
