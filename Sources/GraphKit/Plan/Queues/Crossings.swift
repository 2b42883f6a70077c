/// Which wires stay on one streaming thread, and which need a queue with a thread after it.
struct Crossings {
  private let plan: Plan
  private let topology: Topology
  /// For each node whether it and all after it are Swift nodes with one input, so that a call into
  /// it always comes back.
  private let isClosed: [Bool]
  private let previews: PreviewPart
  /// For each node how many of the wires that leave it may wait.
  private var waiting: [Int] = []

  init(_ plan: Plan, _ topology: Topology) {
    (self.plan, self.topology) = (plan, topology)
    previews = PreviewPart(plan, topology)
    var isClosed = Array(repeating: false, count: plan.nodes.count)
    for number in topology.order.reversed() {
      isClosed[number] =
        plan.nodes[number].runsInStage && topology.incoming[number].count == 1
        && topology.outgoing[number].allSatisfy { isClosed[topology.target(of: $0)] }
    }
    self.isClosed = isClosed
    waiting = topology.outgoing.map { $0.count { !returnsAtOnce($0) } }
  }

  /// Whether the wire is a call inside a stage.
  func isCall(_ wire: Int) -> Bool {
    let (from, to) = ends(of: wire)
    return from.runsInStage && to.runsInStage && !needsQueue(wire)
  }

  /// Whether the wire ends its streaming thread.
  ///
  /// The branches of a fork do, since one that waits must not hold up the others. So do the inputs
  /// of a node with several, the wire after a live source, which can't wait, those that limited sinks
  /// end, and those at the border to Swift code outside of the
  /// graph.
  func needsQueue(_ wire: Int) -> Bool {
    let (from, to) = ends(of: wire)
    if case .queue = plan.wires[wire].lowering { return true }
    return from.isEntry || to.isExit || isLive(wire) || previews.keepsLatest(wire)
      || plan.isLimited(plan.wires[wire])
      || topology.incoming[topology.target(of: wire)].count > 1 || isForked(wire)
  }

  /// Whether the wire comes straight from a source that can't wait, or from what parts its samples.
  func isLive(_ wire: Int) -> Bool {
    let from = topology.source(of: wire)
    if let before = topology.incoming[from].first, plan.nodes[from].partsEntry {
      return isLive(before)
    }
    return plan.nodes[from].node.traits.isLive && topology.incoming[from].isEmpty
  }

  private func isForked(_ wire: Int) -> Bool {
    !returnsAtOnce(wire) && waiting[topology.source(of: wire)] > 1
  }

  /// Whether the wire leads from a Swift node to others that never wait, or no node ever waits for
  /// it.
  private func returnsAtOnce(_ wire: Int) -> Bool {
    previews.keepsLatest(wire)
      || plan.nodes[topology.source(of: wire)].runsInStage
        && isClosed[topology.target(of: wire)]
  }

  /// Whether the wire keeps the newest sample alone.
  func keepsLatest(_ wire: Int) -> Bool { previews.keepsLatest(wire) }

  private func ends(of wire: Int) -> (from: PlanNode, to: PlanNode) {
    (
      plan.nodes[topology.source(of: wire)],
      plan.nodes[topology.target(of: wire)]
    )
  }
}

extension PlanNode {
  /// Whether the node's work is done in Swift, on a stage's thread.
  var runsInStage: Bool {
    (node.work.swiftNode != nil || node.work.sourceNode != nil) && !isEntry && !isExit
  }

  var isEntry: Bool { node.work.entryNode != nil }
  var isExit: Bool { node.work.exitNode != nil }
}
