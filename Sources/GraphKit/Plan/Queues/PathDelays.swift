/// How late media arrives at each node, because of the latencies on its way.
///
/// Sources count from zero, since nothing says that one is ahead of another. Where a node has
/// several inputs it goes on when the latest has come. Every wire into such a node then holds
/// what it comes earlier than the latest, so that all ways from a fork to where they join hold
/// the same in total, however many forks and joins lie between.
struct PathDelays {
  /// For each node how late its output is, in nanoseconds.
  private let delays: [Int64]
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
  }

  /// How much earlier than the latest other input of the same node a wire's media arrives.
  func lead(of wire: Int) -> Int64 {
    let others = topology.incoming[topology.target(of: wire)].filter { $0 != wire }
    let latest = others.map { delays[topology.source(of: $0)] }.max() ?? 0
    return max(0, latest - delays[topology.source(of: wire)])
  }
}
