import GStreamer
import GraphKitSystem
import TestTools
import Testing

@testable import GraphKit

/// Graphs of many nodes: what is asked of each node doesn't grow with the others.
@Suite(.inTurn) struct LongGraphTests {
  /// Hands pictures on as they lie, and counts how often it is asked.
  private struct Turn: Node {
    final class Count: Sendable {
      private let value = Monitor(0)
      func add() { value.withLock { $0 += 1 } }
      var number: Int { value.withLock { $0 } }
    }
    static let declaration = NodeDeclaration<Turn>(
      "turn", role: .effect, help: "A turn.", example: "")
    static let ports = EffectPorts<Video>()
    var count = Count()
    func reshaped(_ entering: FormatConstraint) -> FormatConstraint? {
      count.add()
      return entering
    }
  }

  private func chain(_ length: Int, _ count: Turn.Count) -> Plan {
    var turn = Turn()
    turn.count = count
    let nodes = (0...length).map { PlanNode(Turn.self, turn, name: "n\($0)") }
    let wires = (0..<length).map { number in
      var format = FormatConstraint(.video)
      if number == 0 { format.rotation = .rotate90 }
      return PlanWire(
        from: PortReference("n\(number)", "out"), to: PortReference("n\(number + 1)", "in"),
        format: format, lowering: .link)
    }
    return Plan(nodes: nodes, wires: wires)
  }

  @Test func anOrientationIsWorkedOutOnceForEachNode() {
    let count = Turn.Count()
    let plan = chain(300, count)
    #expect(plan.wires.allSatisfy { plan.known(on: $0).rotation == .rotate90 })
    #expect(count.number <= 300)
  }

  @Test func aPlanThatChangesIsLookedUpAnew() {
    var plan = chain(3, Turn.Count())
    #expect(plan["n3"] != nil && plan.outputs(of: "n3").isEmpty)
    plan.nodes[3].name = "end"
    plan.wires[2].to.node = "end"
    #expect(plan["n3"] == nil && plan["end"] != nil)
    #expect(plan.inputs(of: "end").map(\.from.node) == ["n2"])
    plan.wires[0].format.rotation = .rotate180
    #expect(plan.known(on: plan.wires[2]).rotation == .rotate180)
  }

  @Test func waysThatForkAndJoinAreWalkedOnce() throws {
    // Twice as many ways with each pair: 2 to the power of 60 in all.
    var nodes: [PlanNode] = [PlanNode(Turn.self, Turn(), name: "j0")]
    var wires: [PlanWire] = []
    func join(_ from: String, _ to: String) {
      wires.append(
        PlanWire(
          from: PortReference(from, "out"), to: PortReference(to, "in"),
          format: FormatConstraint(.video), lowering: .link))
    }
    for number in 0..<60 {
      nodes += ["a\(number)", "b\(number)", "j\(number + 1)"].map {
        PlanNode(Turn.self, Turn(), name: $0)
      }
      for side in ["a\(number)", "b\(number)"] {
        join("j\(number)", side)
        join(side, "j\(number + 1)")
      }
    }
    let plan = Plan(nodes: nodes, wires: wires)
    #expect(plan.wires.allSatisfy { !plan.isLimited($0) })
    #expect(plan.names(reachedFrom: ["j0"]).count == nodes.count)
    #expect(plan.sessionLimits().isEmpty)
  }
}
