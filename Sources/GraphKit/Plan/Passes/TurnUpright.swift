/// Puts frames upright, that their file says to turn, before nodes that know up and down.
///
/// Text on video from a telephone would lie on its side else, and a crop would cut another part
/// than the one that players show. Where a file can't say which way up its video is, that is done before
/// the encoder. Nodes that don't care hand on how frames lie, up to the file
/// that is written, and no pixel is moved.
public struct TurnUpright: PlanPass {
  /// What a listing calls the pass.
  public let name = "turn upright"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    guard plan.wires.contains(where: { $0.format.rotation != nil }) else { return plan }
    let topology = try plan.topology()
    let flow = FormatFlow(plan, presumes: true)
    var result = plan
    var names = FreeNames(taken: Set(plan.nodes.map(\.name)))
    // Branches of one output share a node: nothing is turned twice.
    var turned: [PortReference: PortReference] = [:]
    var upright: Set<Int> = []
    for number in topology.order where plan.nodes[number].node.traits.needsUprightVideo {
      for index in topology.incoming[number] {
        guard let rotation = flow.formats[index].rotation, rotation != .none,
          let place = topology.frames(before: index, in: plan), upright.insert(place).inserted
        else { continue }
        let wire = result.wires[place]
        if turned[wire.from] == nil {
          turned[wire.from] = try result.insertTurn(
            names.take("turn:\(wire.from.node)-\(wire.to.node)"), behind: wire,
            from: context.catalog)
        }
        guard let exit = turned[wire.from] else { continue }
        result.wires[place].from = exit
        result.wires[place].format = FormatConstraint(.video)
      }
    }
    return result
  }
}

extension Topology {
  /// The wire whose frames a wire carries, before they were encoded in the graph; the wire itself where
  /// frames enter, or are decoded there; `nil` where they come encoded from a file.
  fileprivate func frames(before wire: Int, in plan: Plan) -> Int? {
    var wire = wire
    while plan.wires[wire].format.kind.isEncoded, entersEncoded(wire, plan) {
      guard let entering = incoming[source(of: wire)].first else { return nil }
      wire = entering
    }
    return wire
  }

  /// Whether the input that a wire leads to takes encoded media.
  private func entersEncoded(_ wire: Int, _ plan: Plan) -> Bool {
    let input = plan.nodes[target(of: wire)].ports.input(named: plan.wires[wire].to.port)
    return input.map { $0.format.kind.isEncoded || $0.format.kind == .any } ?? false
  }
}

extension Plan {
  /// Adds a node that turns what leaves the wire's output; the port where that leaves it.
  fileprivate mutating func insertTurn(
    _ name: String, behind wire: PlanWire, from catalog: Catalog
  ) throws(PlanError) -> PortReference {
    guard let type = catalog["orientation"] else {
      throw .missingType("orientation", from: wire.from, to: wire.to)
    }
    let node = PlanNode(
      name: name, type: type, node: type.make(),
      parameters: [:], ports: type.ports, isInserted: true, stage: nil)
    nodes.append(node)
    wires.append(
      PlanWire(
        from: wire.from, to: PortReference(node.name, "in"), format: wire.format, lowering: .link))
    return PortReference(node.name, "out")
  }
}
