/// Tells nodes whether what enters them comes as time passes, or as fast as they take it.
///
/// What a node does for the sake of a short delay it needs to do only where something is live: an
/// encoder of a file may look far ahead.
public struct SettleMode: PlanPass {
  /// What a listing calls the pass.
  public let name = "settle mode"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let live = plan.liveNodes(try plan.topology())
    var result = plan
    for index in plan.nodes.indices {
      result.nodes[index].node.settle(isLive: live.contains(index))
    }
    return result
  }
}
