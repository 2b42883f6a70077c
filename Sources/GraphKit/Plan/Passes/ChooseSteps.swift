/// Says what a graph with live sources gives up where it can't keep up: which previews pause, which
/// parameters change, and of which sources frames are left out, in which order.
public struct ChooseSteps: PlanPass {
  /// What a listing calls the pass.
  public let name = "choose steps"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let topology = try plan.topology()
    let live = plan.liveNodes(topology)
    guard !live.isEmpty else { return plan }
    var result = plan
    for step in context.whenSlow ?? EconomyStep.standard {
      result.steps += result.steps(of: step, topology, live)
    }
    return result
  }
}

extension Plan {
  /// The steps that an entry of `whenSlow` stands for: none where there is nothing to give up.
  fileprivate func steps(of step: EconomyStep, _ topology: Topology, _ live: Set<Int>)
    -> [PlanStep]
  {
    switch step {
    case .previews:
      let names = asidePreviews(topology).filter { !pausedPreviews.contains($0) }
      return names.isEmpty ? [] : [PlanStep(.pause(names))]
    case .effects:
      return nodes.indices.filter(live.contains).compactMap { number in
        let values = economies(of: nodes[number])
        return values.isEmpty ? nil : PlanStep(.set(node: nodes[number].name, values))
      }
    case .frameRate:
      let names = liveVideo(topology).filter { frameShare(of: $0) == 1 }
      return names.isEmpty ? [] : [PlanStep(.keepEvery(2, names))]
    case .pause(let node): return [PlanStep(.pause([node]))]
    case .set(let node, let values): return [PlanStep(.set(node: node, values))]
    case .keepEvery(let share, let node):
      return liveVideo(topology).contains(node) ? [PlanStep(.keepEvery(share, [node]))] : []
    }
  }

  /// The previews that a graph has beside what it is for.
  private func asidePreviews(_ topology: Topology) -> [String] {
    let part = PreviewPart(self, topology)
    return nodes.indices.filter { number in
      nodes[number].node.traits.takesNewestOnly
        && topology.incoming[number].allSatisfy { part.isAside($0) }
    }.map { nodes[$0].name }
  }

  /// The live sources that raw video leaves.
  private func liveVideo(_ topology: Topology) -> [String] {
    nodes.indices.filter { number in
      nodes[number].node.traits.isLive && topology.incoming[number].isEmpty
        && topology.outgoing[number].contains { wires[$0].format.kind == .video }
    }.map { nodes[$0].name }
  }

  /// The values of a node's parameters that cost less than what it has, and that can be put back.
  private func economies(of node: PlanNode) -> [String: JSONValue] {
    guard !node.isInserted else { return [:] }
    return node.type.parameters.reduce(into: [:]) { values, info in
      guard let value = info.economy, let present = info.read(node.node), present != value,
        !Keyframes.areWritten(node.parameters[info.name] ?? .null, for: info.kind)
      else { return }
      values[info.name] = value
    }
  }
}
