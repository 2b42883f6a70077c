/// The part of a plan that only shows what passes, beside what is recorded.
struct PreviewPart {
  /// For each node whether it and all after it are there for previews alone.
  private let isInside: [Bool]
  /// Whether there is another part.
  private let hasOutside: Bool
  private let plan: Plan
  private let topology: Topology

  init(_ plan: Plan, _ topology: Topology) {
    (self.plan, self.topology) = (plan, topology)
    let nodes = plan.nodes
    var isInside = Array(repeating: false, count: nodes.count)
    for number in topology.order.reversed() {
      let following = topology.outgoing[number].map { topology.target(of: $0) }
      isInside[number] =
        nodes[number].node.traits.takesNewestOnly
        || (!following.isEmpty && following.allSatisfy { isInside[$0] })
    }
    self.isInside = isInside
    hasOutside = isInside.contains(false)
  }

  /// Whether a wire leads into the part, but isn't one that recording depends on: a graph of
  /// previews alone has none.
  func isAside(_ wire: Int) -> Bool {
    hasOutside && isInside[topology.target(of: wire)]
  }

  /// Whether a wire keeps the newest sample alone: at the fork where the part begins, if what
  /// passes is raw, and before the previews themselves.
  func keepsLatest(_ wire: Int) -> Bool {
    let target = topology.target(of: wire)
    if plan.nodes[target].node.traits.takesNewestOnly { return true }
    return isInside[target] && !isInside[topology.source(of: wire)]
      && !plan.wires[wire].format.kind.isEncoded
  }
}

/// The wires and nodes that only show what is recorded.
extension Plan {
  /// The wires that lead to previews alone, in a graph that has other sinks.
  var asideWires: Set<PlanWire> {
    let part = PreviewPart(self, index.numbers(self).topology)
    return Set(wires.indices.filter { part.isAside($0) }.map { wires[$0] })
  }
}
