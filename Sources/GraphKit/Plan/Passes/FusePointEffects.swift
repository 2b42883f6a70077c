/// Has neighbouring point effects run as one function, on the first of them.
///
/// The rule: a point effect joins the chain of the node before it where that is a point effect,
/// too, and one wire leads from the one to the other and nowhere else. Nodes and wires stay: the
/// later ones hand on the frames that the first has changed.
public struct FusePointEffects: PlanPass {
  /// What a listing calls the pass.
  public let name = "fuse point effects"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let topology = try plan.topology()
    var result = plan
    var chains: [[Int]] = []
    var chainOf: [Int: Int] = [:]
    for number in topology.order where plan.nodes[number].node.work.pointEffect != nil {
      let before = topology.incoming[number].first.map(topology.source)
      if let before, let chain = chainOf[before], topology.outgoing[before].count == 1 {
        chains[chain].append(number)
        chainOf[number] = chain
      } else {
        chainOf[number] = chains.count
        chains.append([number])
      }
    }
    for chain in chains { result.fuse(chain) }
    return result
  }
}

extension Plan {
  fileprivate mutating func fuse(_ chain: [Int]) {
    let members = chain.map { NodeMember(nodes[$0].name, nodes[$0].type, nodes[$0].node) }
    for index in chain { nodes[index].original = nodes[index].original ?? nodes[index].node }
    for index in chain.dropFirst() {
      nodes[index].node = ElidedNode()
      nodes[index].leader = nodes[chain[0]].name
    }
    nodes[chain[0]].node = ColorChain(members)
  }
}
