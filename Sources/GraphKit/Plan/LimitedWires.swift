/// Where the sessions of limited sinks end wires. A wire ends with the longest session of the sinks that
/// it leads to; those that end sooner do so after the fork where the ways to them part.
struct LimitedWires {
  /// For each wire whose samples are cut the numbers of the limited sinks that it leads to.
  let sinks: [PlanWire: [Int]]

  /// Where what leaves a node gets to.
  private struct Destinations: Equatable {
    /// The numbers of limited sinks.
    var limited: Set<Int> = []
    /// Whether it gets to nodes besides that take all there is.
    var isOpen = false

    mutating func gather(_ other: Destinations) {
      limited.formUnion(other.limited)
      isOpen = isOpen || other.isOpen
    }
  }

  init(_ plan: Plan, _ topology: Topology) {
    guard plan.nodes.contains(where: { $0.node.traits.maximumDuration != nil }) else {
      sinks = [:]
      return
    }
    let previews = PreviewPart(plan, topology)
    var ends = Array(repeating: Destinations(), count: plan.nodes.count)
    var sinks: [PlanWire: [Int]] = [:]
    for number in topology.order.reversed() {
      ends[number] = Self.ownDestinations(of: number, plan, topology)
      let found = topology.outgoing[number].map { wire in
        Self.ends(of: wire, ends[topology.target(of: wire)], plan, topology, previews)
      }
      for part in found { ends[number].gather(part) }
      let begins = plan.beginsTimes(plan.nodes[number].name)
      for (wire, part) in zip(topology.outgoing[number], found)
      where !part.isOpen && !part.limited.isEmpty && (begins || part != ends[number]) {
        sinks[plan.wires[wire]] = part.limited.sorted()
      }
    }
    self.sinks = sinks
  }

  private static func ownDestinations(of number: Int, _ plan: Plan, _ topology: Topology)
    -> Destinations
  {
    if plan.nodes[number].node.traits.maximumDuration != nil {
      return Destinations(limited: [number])
    }
    return Destinations(isOpen: topology.outgoing[number].isEmpty)
  }

  /// Where what passes on a wire gets to. What comes in turn has its time only after the node that takes
  /// it so; and previews end when all else does.
  private static func ends(
    of wire: Int, _ following: Destinations, _ plan: Plan, _ topology: Topology,
    _ previews: PreviewPart
  ) -> Destinations {
    if plan.nodes[topology.target(of: wire)].node.traits.takesInputsInTurn {
      return Destinations(isOpen: true)
    }
    return following.limited.isEmpty && previews.isAside(wire) ? Destinations() : following
  }
}
