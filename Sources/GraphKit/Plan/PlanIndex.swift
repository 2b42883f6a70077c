import GStreamer
import System

/// A plan's nodes and wires by name, and what follows from all of them together, each worked out
/// when it is first asked for.
///
/// A plan that changes gets a new index, so what an index holds never goes stale.
final class PlanIndex: Sendable {
  /// Where a plan's arrays have what belongs to a name.
  struct Numbers {
    /// The first node of each name.
    let nodes: [String: Int]
    /// The wires that enter each node.
    let incoming: [String: [Int]]
    /// The wires that leave each node.
    let outgoing: [String: [Int]]

    init(_ nodes: [PlanNode], _ wires: [PlanWire]) {
      self.nodes = Dictionary(
        nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
      incoming = Dictionary(grouping: wires.indices, by: { wires[$0].to.node })
      outgoing = Dictionary(grouping: wires.indices, by: { wires[$0].from.node })
    }
  }

  private struct State {
    var numbers: Numbers?
    /// How frames lie that leave a node as they entered it; `nil` where nothing says.
    var rotations: [String: Rotation?] = [:]
    var limited: Set<String>?
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

  /// What is known of the frames that leave a node, if it has been worked out.
  func rotation(behind node: String) -> Rotation?? { state.withLock { $0.rotations[node] } }

  func keep(_ rotation: Rotation?, behind node: String) {
    state.withLock { $0.rotations[node] = .some(rotation) }
  }

  /// The limited sinks and all nodes that lead to one.
  func leadingToLimit(_ plan: Plan) -> Set<String> {
    if let known = state.withLock({ $0.limited }) { return known }
    let sinks = plan.nodes.filter { $0.node.traits.maximumDuration != nil }
    let limited = plan.names(leadingTo: sinks.map(\.name))
    state.withLock { $0.limited = limited }
    return limited
  }
}

extension Plan {
  /// The nodes of some names, and all that lead to one of them.
  func names(leadingTo names: [String]) -> Set<String> {
    reached(from: names) { inputs(of: $0).map(\.from.node) }
  }

  /// The nodes of some names, and all that one of them leads to.
  func names(reachedFrom names: [String]) -> Set<String> {
    reached(from: names) { outputs(of: $0).map(\.to.node) }
  }

  private func reached(from names: [String], by neighbours: (String) -> [String]) -> Set<String> {
    var (seen, pending) = (Set(names), names)
    while let name = pending.popLast() {
      pending += neighbours(name).filter { seen.insert($0).inserted }
    }
    return seen
  }
}

extension Plan {
  /// Whether a wire comes from a source and leads to a limited sink.
  func isLimited(_ wire: PlanWire) -> Bool {
    guard inputs(of: wire.from.node).isEmpty else { return false }
    return index.leadingToLimit(self).contains(wire.to.node)
  }
}
