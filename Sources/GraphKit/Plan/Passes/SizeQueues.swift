/// Puts queues where a streaming thread ends, and gives each the bounds that the graph needs.
///
/// Where paths fork and join again, the shorter one must hold what the longer one delays, or
/// the fork waits for the join and the join for the fork. That is held in the last queue before
/// the join, where media is encoded and cheapest. No other queue needs to: one that runs full
/// waits for a join, and the join that is furthest behind never waits for a queue.
public struct SizeQueues: PlanPass {
  /// What a listing calls the pass.
  public let name = "size queues"

  private let holdsDelays: Bool

  /// The pass.
  public init() { holdsDelays = true }

  /// The pass as it would be if it took no account of latencies: what it is for is shown by the
  /// runs that then stand still.
  package init(holdsDelays: Bool) { self.holdsDelays = holdsDelays }

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    do { return try sized(plan) } catch {
      // A graph that doesn't ask for such a step is to have one only where memory suffices for it.
      guard context.whenSlow == nil, plan.steps.contains(where: \.leavesOutFrames) else {
        throw error
      }
      var fewer = plan
      fewer.steps.removeAll(where: \.leavesOutFrames)
      return try sized(fewer)
    }
  }

  private func sized(_ plan: Plan) throws(PlanError) -> Plan {
    let topology = try plan.topology()
    let (crossings, delays) = (Crossings(plan, topology), try PathDelays(plan, topology))
    let blocks = topology.incoming.map { wires in
      wires.map { FormatSize(plan.wires[$0].format).block }.max() ?? 0
    }
    let (live, programmed) = (plan.liveNodes(topology), plan.programmedNodes(topology))
    var result = plan
    for wire in plan.wires.indices where plan.wires[wire].lowering != .call {
      // A pass that knew more has given the bounds already.
      if case .queue = plan.wires[wire].lowering { continue }
      guard crossings.needsQueue(wire) else {
        result.wires[wire].lowering = .link
        continue
      }
      if crossings.keepsLatest(wire) {
        result.wires[wire].lowering = .queue(.latest)
        continue
      }
      let sizing = QueueSizing(
        wire, of: plan, topology, block: blocks[topology.target(of: wire)],
        skew: holdsDelays ? delays.skew(of: wire) : 0,
        isLive: crossings.isLive(wire), isOfLive: live.contains(topology.source(of: wire)),
        isOfProgram: programmed.contains(topology.target(of: wire)),
        joinsLive: live.contains(topology.target(of: wire)))
      result.wires[wire].lowering = .queue(try sizing.policy())
    }
    return result
  }
}
