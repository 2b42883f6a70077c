import GStreamer

/// Wires up the runners of one stage, from its outputs backwards.
final class StageAssembly {
  /// What the nodes' wires were given, and the changes of live parameters that they take.
  private(set) var counters: [(name: String, counter: WireCounter)] = []
  private(set) var changes: [String: LiveChanges] = [:]
  /// Where the stage's thread is.
  let place: StagePlace
  private let plan: Plan
  private let context: RunContext
  private let nodes: [String: PlanNode]
  private let tails: [PlanWire: PadTarget]
  private var runners: [String: NodeRunner] = [:]
  private var seen: Set<String> = []

  init(
    _ plan: Plan, _ context: RunContext, _ nodes: [PlanNode], tails: [PlanWire: PadTarget]
  ) {
    (self.plan, self.context) = (plan, context)
    self.nodes = Dictionary(uniqueKeysWithValues: nodes.map { ($0.name, $0) })
    self.tails = tails
    place = StagePlace(nodes.map(\.name))
    makeRunners(nodes)
  }

  /// Makes each node's runner after those that it calls, so that a long stage needs no deep stack.
  private func makeRunners(_ nodes: [PlanNode]) {
    var pending = nodes.reversed().map { (node: $0, isReady: false) }
    while let (node, isReady) = pending.popLast() {
      if isReady {
        _ = runner(of: node)
        continue
      }
      guard runners[node.name] == nil, seen.insert(node.name).inserted else { continue }
      pending.append((node, true))
      for wire in plan.outputs(of: node.name) where tails[wire] == nil {
        if let next = self.nodes[wire.to.node] { pending.append((next, false)) }
      }
    }
  }

  /// The input at the end of a wire.
  func input(_ wire: PlanWire, counter: WireCounter?) -> any SampleTarget {
    guard let node = nodes[wire.to.node], let runner = runner(of: node) else { return NoTarget() }
    let ports = node.ports.filter { $0.direction == .input }
    let index = ports.firstIndex { $0.name == wire.to.port } ?? 0
    let isKnown = ports.indices.contains(index)
    let constraint = isKnown ? ports[index].format : FormatConstraint(.any)
    return NodeRunner.Input(runner, index: index, constraint, of: wire, counter: counter)
  }

  private func runner(of node: PlanNode) -> NodeRunner? {
    if let runner = runners[node.name] { return runner }
    guard var swift = node.node.work.swiftNode else { return nil }
    swift.settle(formats: plan.settledFormats(at: node.name))
    let runner = NodeRunner(
      swift, name: node.name, inputCount: plan.inputs(of: node.name).count,
      outputs: outputs(of: node), changes: changes(of: node, swift), context: context,
      place: place)
    runners[node.name] = runner
    return runner
  }

  /// The changes that a node takes: its own, or those of all whose work it does.
  private func changes(of node: PlanNode, _ swift: any SwiftNode) -> [LiveChanges] {
    guard node.leader == nil else { return [] }
    let own = [NodeMember(node.name, node.type, node.node)]
    return (swift.members.isEmpty ? own : swift.members).map { member in
      let changes = LiveChanges(
        of: member.name, member.type, at: member.node, in: plan, log: context.log)
      self.changes[member.name] = changes
      return changes
    }
  }

  /// Where a node's outputs lead, in the order of its ports.
  func outputs(of node: PlanNode) -> NodeOutputs {
    let wires = plan.outputs(of: node.name)
    let ports = node.ports.filter { $0.direction == .output }
    let name = PlanNode.original(of: node.name)
    return NodeOutputs(
      ports.map { port in
        let branches = wires.filter { $0.from.port == port.name }
          .map { (wire: $0.name, target: target($0)) }
        return switch branches.count {
        case 0: NoTarget()
        case 1: branches[0].target
        default: FanOutTarget(branches, of: node.name, context: context)
        }
      }, names: ports.map(\.name), run: context.sourceRun(of: node.name)
    ) { [context] in
      context.log.send(.warning(node: name, message: $0))
    } onMeasurement: { [context] values in
      guard context.log.hasListeners else { return }
      context.log.send(.measurement(node: name, values: values))
    }
  }

  private func target(_ wire: PlanWire) -> any SampleTarget {
    if let tail = tails[wire] { return tail }
    let counter = WireCounter()
    counters.append((wire.name, counter))
    return input(wire, counter: counter)
  }
}
