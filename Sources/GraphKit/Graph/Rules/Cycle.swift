/// Wires never lead back to where they come from.
enum Cycle: GraphRule {
  /// How many cycles are named; more than that have one cause.
  private static let limit = 10

  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    guard draft.topology.hasCycle else { return [] }
    let ordered = Set(draft.topology.order)
    var search = CycleSearch(draft, among: Set(draft.nodes.indices).subtracting(ordered))
    return search.cycles(limit: limit).map { wires in
      let path = wires.map { draft.wires[$0].from.node }
      let last = draft.wires[wires[wires.count - 1]].to
      return Diagnostic(.fit(.cycle(path + [last.node])), at: last.place, node: last.node)
    }
  }
}

/// A walk along wires that notes when it comes back to a node of its own path. It keeps its path
/// itself, so that a long graph can't exhaust the stack.
private struct CycleSearch {
  private var pending: [Int: [Int]]
  private var path: [Int] = []
  private var position: [Int: Int] = [:]
  private var done: Set<Int> = []
  private let topology: Topology
  private let starts: [Int]

  init(_ draft: GraphDraft, among nodes: Set<Int>) {
    let topology = draft.topology
    pending = Dictionary(
      uniqueKeysWithValues: nodes.map { node in
        (
          node,
          topology.outgoing[node].filter { nodes.contains(topology.target(of: $0)) }.reversed()
        )
      })
    self.topology = topology
    starts = nodes.sorted()
  }

  /// Circles, each as the wires that make it.
  mutating func cycles(limit: Int) -> [[Int]] {
    var found: [[Int]] = []
    for start in starts where !done.contains(start) && found.count < limit {
      var node = start
      position[start] = 0
      while found.count < limit {
        if let wire = pending[node]?.popLast() {
          let target = topology.target(of: wire)
          if let first = position[target] {
            found.append(path[first...] + [wire])
          } else if !done.contains(target) {
            path.append(wire)
            position[target] = path.count
            node = target
          }
        } else {
          position[node] = nil
          done.insert(node)
          if path.popLast() == nil { break }
          node = path.last.map(topology.target) ?? start
        }
      }
    }
    return found
  }
}
