import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct StageTests {
  private let sound = FormatConstraint.audio([.f32], sampleRates: [48_000], channels: [2])

  private func fused(_ sketch: Sketch) throws -> Plan { try sketch.planned(FuseStages()) }

  private func stages(_ plan: Plan) -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: plan.nodes.compactMap { node in
        node.stage.map { (node.name, $0) }
      })
  }

  private func chain(_ names: String...) -> Sketch {
    var sketch = Sketch()
    for name in names { sketch.add(name, FakeSwift<EffectTag>.self, through(sound)) }
    return sketch
  }

  @Test func `neighbouring Swift nodes share a stage with the source at their head`() throws {
    var sketch = chain("a", "b")
    sketch.add("source", FakeProducer.self, [output(sound)])
    sketch.add("sink", FakeElement<SinkTag>.self, [input(sound)])
    sketch.wire("source -> a -> b -> sink")
    let plan = try fused(sketch)
    #expect(stages(plan) == ["source": 0, "a": 0, "b": 0])
    #expect(plan.wires.map(\.lowering) == [.call, .call, .link])
  }

  @Test func `an element between them parts two stages`() throws {
    var sketch = chain("a", "b")
    sketch.add("source", FakeElement<SourceTag>.self, [output(sound)])
    sketch.add("element", FakeElement<EffectTag>.self, through(sound))
    sketch.wire("source -> a -> element -> b")
    #expect(stages(try fused(sketch)) == ["a": 0, "b": 1])
  }

  @Test func `several inputs begin a stage`() throws {
    var sketch = chain("a", "b", "after")
    sketch.add(
      "mix", FakeSwift<EffectTag>.self, [input(sound, "x"), input(sound, "y"), output(sound)])
    sketch.wire("a -> mix.x", "b -> mix.y", "mix -> after")
    let plan = try fused(sketch)
    #expect(stages(plan) == ["a": 0, "b": 1, "mix": 2, "after": 2])
    #expect(plan.wires.map(\.lowering) == [.link, .link, .call])
  }

  @Test func `branches that end in the stage are called, others that fork are not`() throws {
    var sketch = chain("a", "left", "right")
    sketch.add("meter", FakeSwift<SinkTag>.self, [input(sound)])
    for name in ["x", "y"] { sketch.add(name, FakeElement<SinkTag>.self, [input(sound)]) }
    sketch.wire("a -> meter", "a -> left -> x", "a -> right -> y")
    let forked = try fused(sketch)
    #expect(stages(forked) == ["a": 0, "meter": 0, "left": 1, "right": 2])
    sketch.wires.removeAll { $0.to.node == "right" }
    #expect(stages(try fused(sketch))["left"] == 0)
  }

  @Test func `paths that join again are never calls`() throws {
    var sketch = chain("a", "b", "c")
    sketch.add("mix", FakeSwift<SinkTag>.self, [input(sound, "x"), input(sound, "y")])
    sketch.wire("a -> b -> mix.x", "a -> c -> mix.y")
    #expect(try fused(sketch).wires.allSatisfy { $0.lowering != .call })
  }

  @Test func `a live source, an entry and an exit stand alone`() throws {
    var sketch = chain("a", "b")
    sketch.add("live", FakeProducer.self, [output(sound)], isLive: true)
    sketch.add("entry", FakeEntry.self, [output(sound)])
    sketch.add("exit", FakeExit.self, [input(sound)])
    sketch.wire("live -> a", "entry -> b -> exit")
    let plan = try fused(sketch)
    #expect(plan["entry"]?.stage == nil && plan["exit"]?.stage == nil)
    #expect(plan["live"]?.stage != plan["a"]?.stage)
    #expect(plan.wires.allSatisfy { $0.lowering == .link })
  }
}
