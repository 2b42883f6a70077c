import GStreamer
import GraphKitSystem

/// A plan's nodes and wires by name, and what follows from all of them together, each worked out
/// when it is first asked for.
///
/// A plan that changes gets a new index, so what an index holds never goes stale.
final class PlanIndex: Sendable {
  /// Where a plan's arrays have what belongs to a name.
  struct Numbers {
    /// The first node of each name.
    let nodes: [String: Int]
    /// The wires between them.
    let topology: Topology

    init(_ nodes: [PlanNode], _ wires: [PlanWire]) {
      let numbers = Dictionary(
        nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
      self.nodes = numbers
      topology = Topology(
        nodeCount: nodes.count,
        wires: wires.map { wire in
          numbers[wire.from.node].flatMap { from in numbers[wire.to.node].map { (from, $0) } }
        })
    }
  }

  private struct State {
    var numbers: Numbers?
    var flow: FormatFlow?
    var limited: LimitedWires?
  }

  private let state = Monitor(State())

  func numbers(_ plan: Plan) -> Numbers {
    state.withLock { state in
      if let numbers = state.numbers { return numbers }
      let numbers = Numbers(plan.nodes, plan.wires)
      state.numbers = numbers
      return numbers
    }
  }

  /// What is known of what passes on each wire.
  func flow(_ plan: Plan) -> FormatFlow {
    if let known = state.withLock({ $0.flow }) { return known }
    let flow = FormatFlow(plan, presumes: true)
    state.withLock { $0.flow = flow }
    return flow
  }

  /// The wires that limited sinks end.
  func limitedWires(_ plan: Plan) -> LimitedWires {
    if let known = state.withLock({ $0.limited }) { return known }
    let limited = LimitedWires(plan, numbers(plan).topology)
    state.withLock { $0.limited = limited }
    return limited
  }
}

extension Plan {
  /// The nodes of some names, and all that lead to one of them.
  func names(leadingTo names: [String]) -> Set<String> {
    let numbers = index.numbers(self)
    let found = numbers.topology.nodes(leadingTo: names.compactMap { numbers.nodes[$0] })
    return Set(found.map { nodes[$0].name })
  }

  /// The nodes of some names, and all that one of them leads to.
  func names(reachedFrom names: [String]) -> Set<String> {
    let numbers = index.numbers(self)
    let found = numbers.topology.nodes(reachedFrom: names.compactMap { numbers.nodes[$0] })
    return Set(found.map { nodes[$0].name })
  }

  /// The numbers of the nodes that samples of a live source get to, and of such sources.
  func liveNodes(_ topology: Topology) -> Set<Int> {
    topology.nodes(reachedFrom: nodes.indices.filter { nodes[$0].node.traits.isLive })
  }

  /// The nodes to which all comes from programs.
  func programmedNodes(_ topology: Topology) -> Set<Int> {
    let others = nodes.indices.filter { topology.incoming[$0].isEmpty && !nodes[$0].isEntry }
    return Set(nodes.indices).subtracting(topology.nodes(reachedFrom: others))
  }

  /// The plan's nodes and wires by number, for passes that go from node to node.
  func topology() throws(PlanError) -> Topology {
    let topology = index.numbers(self).topology
    guard topology.hasCycle else { return topology }
    let sorted = Set(topology.order)
    throw .cycle(nodes.indices.filter { !sorted.contains($0) }.map { nodes[$0].name })
  }
}

extension Plan {
  /// Whether what leaves a node has times of the run: it is a source, or takes its inputs in turn.
  func beginsTimes(_ node: String) -> Bool {
    self[node]?.node.traits.takesInputsInTurn == true || inputs(of: node).isEmpty
  }

  /// The number of the turn in which a wire's node takes what comes; `nil` where it takes all together.
  func turn(of wire: PlanWire) -> Int? {
    guard let node = self[wire.to.node], node.node.traits.takesInputsInTurn else { return nil }
    return node.port(wire.to.port, .input)?.instanceNumber
  }

  /// Whether limited sinks end a wire.
  func isLimited(_ wire: PlanWire) -> Bool { index.limitedWires(self).sinks[wire] != nil }
}
