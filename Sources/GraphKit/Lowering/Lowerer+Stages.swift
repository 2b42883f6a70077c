import GStreamer
import System

/// Stages: the Swift nodes of one number become one element.
extension Lowerer {
  func makeStages() throws(PipelineFailure) {
    let stages = Dictionary(grouping: plan.nodes.filter { $0.stage != nil }) { $0.stage ?? 0 }
    let crossing = plan.wires.filter { $0.lowering != .call }
    let stageOf = Dictionary(
      plan.nodes.map { ($0.name, $0.stage) }, uniquingKeysWith: { first, _ in first })
    let arriving = Dictionary(grouping: crossing) { stageOf[$0.to.node] ?? nil }
    let leaving = Dictionary(grouping: crossing) { stageOf[$0.from.node] ?? nil }
    for (stage, nodes) in stages.sorted(by: { $0.key < $1.key }) {
      makeStage(nodes, arriving[stage] ?? [], leaving[stage] ?? [])
    }
  }

  private func makeStage(_ nodes: [PlanNode], _ arriving: [PlanWire], _ leaving: [PlanWire]) {
    let source = nodes.first { $0.node.work.sourceNode != nil }
    let end = StageEnd()
    let element = SwiftElement(
      name: Self.name(of: nodes), inputs: arriving.count,
      outputs: leaving.count, isSource: source != nil,
      isAside: nodes.allSatisfy { isAside($0.name) }
    ) { pads in
      makeBody(nodes, arriving, leaving, pads, source: source, end: end)
    }
    end.element = element
    add(element, for: nodes[0].name)
    for (wire, pad) in zip(arriving, element.inputs) { sinkPads[wire.to] = pad }
    for (wire, pad) in zip(leaving, element.outputs) { stagePads[wire] = pad }
  }

  private static func name(of nodes: [PlanNode]) -> String {
    "stage " + nodes.map(\.name).joined(separator: "+")
  }

  private func makeBody(
    _ nodes: [PlanNode], _ arriving: [PlanWire], _ leaving: [PlanWire], _ pads: [Pad],
    source: PlanNode?, end: StageEnd
  ) -> StageBody {
    let tails = zip(leaving, pads).map { wire, pad in
      PadTarget(
        pad, counter: wire.lowering == .link ? count(wire) : nil,
        stream: source.map { "\($0.name).\(wire.from.port)" })
    }
    let assembly = StageAssembly(
      self, nodes, tails: Dictionary(uniqueKeysWithValues: zip(leaving, tails)))
    let isSink = leaving.isEmpty
    let loop = source.map { source in
      let loop = SourceLoop(name: source.name)
      if let node = source.node.work.sourceNode {
        let runner = SourceRunner(source: node, outputs: assembly.outputs(of: source)) {
          if isSink { end.post() }
        }
        loops.append(PendingLoop(loop, runner))
      }
      return loop
    }
    return StageBody(
      name: Self.name(of: nodes),
      heads: arriving.map { assembly.input($0, counter: $0.lowering == .link ? count($0) : nil) },
      tails: tails, constraints: arriving.map { Caps(plan.demand(on: $0).capsText) },
      proxy: handsFormatsOn(nodes) && arriving.count == 1 && pads.count == 1 ? pads[0] : nil,
      loop: loop, context: context
    ) { end.post() }
  }

  /// Whether what follows a stage may say what enters it.
  private func handsFormatsOn(_ nodes: [PlanNode]) -> Bool {
    nodes.allSatisfy { !$0.node.reshapesVideo }
  }

  func count(_ wire: PlanWire) -> WireCounter {
    let counter = WireCounter()
    counters.append((wire.name, counter))
    return counter
  }
}

/// A stage's way to report its end. Weak: the element owns the stage that reports it.
final class StageEnd: Sendable {
  private let state = Monitor(WeakElement())

  private struct WeakElement { weak var element: SwiftElement? }

  var element: SwiftElement? {
    get { state.withLock { $0.element } }
    set { state.withLock { $0.element = newValue } }
  }

  func post() { element?.postEndOfStream() }
}

/// Wires up the runners of one stage, from its outputs backwards.
private final class StageAssembly {
  private let lowerer: Lowerer
  private let nodes: [String: PlanNode]
  private let tails: [PlanWire: PadTarget]
  private var runners: [String: NodeRunner] = [:]
  private var seen: Set<String> = []

  init(_ lowerer: Lowerer, _ nodes: [PlanNode], tails: [PlanWire: PadTarget]) {
    self.lowerer = lowerer
    self.nodes = Dictionary(uniqueKeysWithValues: nodes.map { ($0.name, $0) })
    self.tails = tails
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
      for wire in lowerer.plan.outputs(of: node.name) where tails[wire] == nil {
        if let next = self.nodes[wire.to.node] { pending.append((next, false)) }
      }
    }
  }

  /// The input at the end of a wire.
  func input(_ wire: PlanWire, counter: WireCounter?) -> any SampleTarget {
    guard let node = nodes[wire.to.node], let runner = runner(of: node) else { return NoTarget() }
    let ports = node.ports.filter { $0.direction == .input }
    let index = ports.firstIndex { $0.name == wire.to.port } ?? 0
    return NodeRunner.Input(runner, index: index, counter: counter)
  }

  private func runner(of node: PlanNode) -> NodeRunner? {
    if let runner = runners[node.name] { return runner }
    guard var swift = node.node.work.swiftNode else { return nil }
    swift.settle(formats: lowerer.plan.settledFormats(at: node.name))
    let runner = NodeRunner(
      swift, name: node.name, inputCount: lowerer.plan.inputs(of: node.name).count,
      outputs: outputs(of: node), changes: changes(of: node, swift), context: lowerer.context)
    runners[node.name] = runner
    return runner
  }

  /// The changes that a node takes: its own, or those of all whose work it does.
  private func changes(of node: PlanNode, _ swift: any SwiftNode) -> [LiveChanges] {
    guard node.leader == nil else { return [] }
    let own = [NodeMember(node.name, node.type, node.node)]
    return (swift.members.isEmpty ? own : swift.members).map { member in
      let changes = LiveChanges(
        of: member.name, member.type, at: member.node, in: lowerer.plan, log: lowerer.context.log)
      lowerer.changes[member.name] = changes
      return changes
    }
  }

  /// Where a node's outputs lead, in the order of its ports.
  func outputs(of node: PlanNode) -> NodeOutputs {
    let wires = lowerer.plan.outputs(of: node.name)
    let ports = node.ports.filter { $0.direction == .output }
    return NodeOutputs(
      ports.map { port in
        let targets = wires.filter { $0.from.port == port.name }.map(target)
        return switch targets.count {
        case 0: NoTarget()
        case 1: targets[0]
        default: FanOutTarget(targets)
        }
      }
    ) { [context = lowerer.context] in
      context.log.send(.warning(node: node.name, message: $0))
    }
  }

  private func target(_ wire: PlanWire) -> any SampleTarget {
    if let tail = tails[wire] { return tail }
    return input(wire, counter: lowerer.count(wire))
  }
}
