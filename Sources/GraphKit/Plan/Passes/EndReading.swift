/// Has audio be read no further than its one reducer needs it.
///
/// The reducer ends the stream once it has what it needs; a split one is given no more than that.
/// Where others get the audio, too, or the source is live, the stream goes on to its own end.
public struct EndReading: PlanPass {
  /// What a listing calls the pass.
  public let name = "end reading"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    for index in plan.nodes.indices {
      guard let reducer = plan.nodes[index].node.work.reducerNode, reducer.hasEnd,
        plan.isFedAlone(plan.nodes[index])
      else { continue }
      result.nodes[index].node = reducer.endingStream()
      result.endPackets(for: reducer, named: plan.nodes[index].name)
    }
    return result
  }
}

extension Plan {
  /// Puts what ends the packets in front of a decoder that would be fed to the file's end.
  fileprivate mutating func endPackets(for reducer: any ReducerNode, named name: String) {
    var way = inputs(of: name).first
    while let wire = way, wire.format.codecs.isEmpty { way = inputs(of: wire.from.node).first }
    guard let wire = way, let codec = wire.format.codecs.first, codec.decodingHidesItsEnd,
      let index = wires.firstIndex(of: wire)
    else { return }
    let node = PlanNode(PacketEnd.self, PacketEnd(codec, for: reducer), name: "end:\(name)")
    nodes.append(node)
    wires[index].to = PortReference(node.name, "in")
    var exit = wire
    exit.from = PortReference(node.name, "out")
    wires.append(exit)
  }

  /// Whether all that leads to a node leads there only, from one file, on one thread.
  fileprivate func isFedAlone(_ node: PlanNode) -> Bool {
    guard let wire = inputs(of: node.name).first, inputs(of: node.name).count == 1 else {
      return inputs(of: node.name).isEmpty && !node.node.traits.isLive
    }
    guard let from = self[wire.from.node], !isLimited(wire), outputs(of: from.name).count == 1
    else { return false }
    return isFedAlone(from)
  }
}
