/// Has neighbouring Swift nodes share a streaming thread and call each other.
///
/// The rule: a Swift node joins the stage of the node before it where one wire, and no other, leads
/// into it, that node is in a stage too, and the wire needs no queue. Where that node feeds
/// several, a branch is called only if everything after it is such Swift nodes to the very end: a
/// branch like that never waits for anyone, so it can't hold up the others. Every other branch gets
/// a queue of its own, unless it is the only one left.
public struct FuseStages: PlanPass {
  /// What a listing calls the pass.
  public let name = "fuse stages"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let topology = try plan.topology()
    let crossings = Crossings(plan, topology)
    var (result, next) = (plan, 0)
    for number in topology.order where plan.nodes[number].runsInStage {
      if let wire = topology.incoming[number].first, crossings.isCall(wire) {
        result.nodes[number].stage = result.nodes[topology.source(of: wire)].stage
        result.wires[wire].lowering = .call
      } else {
        result.nodes[number].stage = next
        next += 1
      }
    }
    return result
  }
}
