/// The part of a plan that only shows what passes, or sends it where nothing waits for it, beside what
/// is recorded.
struct PreviewPart {
  /// For each node whether it and all after it are there for previews alone.
  private let isPreview: [Bool]
  /// The same, for previews and other sinks that nothing waits for.
  private let isInside: [Bool]
  /// Whether there is another part.
  private let hasOutside: Bool
  private let plan: Plan
  private let topology: Topology

  init(_ plan: Plan, _ topology: Topology) {
    (self.plan, self.topology) = (plan, topology)
    isPreview = Self.part(of: plan, topology) { $0.takesNewestOnly }
    isInside = Self.part(of: plan, topology) { $0.takesNewestOnly || $0.isBestEffort }
    hasOutside = isInside.contains(false)
  }

  private static func part(
    of plan: Plan, _ topology: Topology, where isSink: (NodeTraits) -> Bool
  ) -> [Bool] {
    var isInside = Array(repeating: false, count: plan.nodes.count)
    for number in topology.order.reversed() {
      let following = topology.outgoing[number].map { topology.target(of: $0) }
      isInside[number] =
        isSink(plan.nodes[number].node.traits)
        || (!following.isEmpty && following.allSatisfy { isInside[$0] })
    }
    return isInside
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
    return isPreview[target] && !isPreview[topology.source(of: wire)]
      && !plan.wires[wire].format.kind.isEncoded
  }
}

/// The wires and nodes that only show what is recorded.
extension Plan {
  /// The wires that lead to previews, and to other sinks that nothing waits for, in a graph that has
  /// others.
  var asideWires: Set<PlanWire> {
    let part = PreviewPart(self, index.numbers(self).topology)
    return Set(wires.indices.filter { part.isAside($0) }.map { wires[$0] })
  }
}
