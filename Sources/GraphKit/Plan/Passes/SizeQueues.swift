/// Puts queues where a streaming thread ends, and gives each the bounds that the graph needs.
///
/// Where paths fork and join again, the shorter one must hold what the longer one delays, or
/// the fork waits for the join and the join for the fork. That is held in the last queue before
/// the join, where media is encoded and cheapest. No other queue needs to: one that runs full
/// waits for a join, and the join that is furthest behind never waits for a queue.
public struct SizeQueues: PlanPass {
  public let name = "size queues"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let topology = try Topology(plan)
    let (crossings, delays) = (Crossings(topology), try PathDelays(topology))
    var result = plan
    for wire in plan.wires.indices where plan.wires[wire].lowering != .call {
      guard crossings.needsQueue(wire) else {
        result.wires[wire].lowering = .link
        continue
      }
      let sizing = QueueSizing(wire, topology, crossings, delays)
      result.wires[wire].lowering = .queue(try sizing.policy())
    }
    return result
  }
}
