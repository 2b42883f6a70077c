/// How late media arrives at each node, because of the latencies on its way.
///
/// Sources count from zero, since nothing says that one is ahead of another. Where a node has
/// several inputs it goes on when the latest has come. Every wire into such a node then holds
/// what it comes earlier than the latest, so that all ways from a fork to where they join hold
/// the same in total, however many forks and joins lie between.
struct PathDelays {
  /// For each node how late its output is, in nanoseconds.
  private let delays: [Int64]
  private let shifts: PathShifts
  private let topology: Topology

  init(_ topology: Topology) throws(PlanError) {
    self.topology = topology
    var delays = Array(repeating: Int64(0), count: topology.plan.nodes.count)
    for number in topology.order {
      let node = topology.plan.nodes[number]
      let earlier = topology.incoming[number].map { delays[topology.source(of: $0)] }.max() ?? 0
      guard let latency = Nanoseconds.count(topology.plan.latency(of: node)),
        earlier <= Nanoseconds.longest - latency
      else { throw .latency(node: node.name) }
      delays[number] = earlier + latency
    }
    self.delays = delays
    shifts = PathShifts(topology)
  }

  /// How much earlier than the latest other input of the same node a wire's media arrives: because
  /// that is held back on its way, or because this is presented later than what left the same
  /// source with it.
  func lead(of wire: Int) -> Int64 {
    let (source, others) = (topology.source(of: wire), siblings(of: wire))
    let leads = others.map { other in
      delays[other] - delays[source] + shifts.lead(of: source, over: other)
    }
    return max(0, leads.max() ?? 0)
  }

  private func siblings(of wire: Int) -> [Int] {
    topology.incoming[topology.target(of: wire)].filter { $0 != wire }.map(topology.source(of:))
  }
}
