/// Nodes and the wires between them, by number: what checking, planning and drawing walk along.
struct Topology: Sendable {
  /// For each node the numbers of the wires that enter it.
  let incoming: [[Int]]
  /// For each node the numbers of the wires that leave it.
  let outgoing: [[Int]]
  /// The nodes' numbers, each after all that lead to it. Nodes on a cycle, and what is after them,
  /// are left out.
  let order: [Int]
  private let ends: [Ends?]

  /// The nodes that a wire joins.
  typealias Ends = (source: Int, target: Int)

  /// The topology of so many nodes; a wire that is `nil` joins none of them.
  init(nodeCount: Int, wires: [Ends?]) {
    var incoming = Array(repeating: [Int](), count: nodeCount)
    var outgoing = incoming
    for (number, ends) in wires.enumerated() {
      guard let ends else { continue }
      outgoing[ends.source].append(number)
      incoming[ends.target].append(number)
    }
    self.incoming = incoming
    self.outgoing = outgoing
    ends = wires
    var open = incoming.map(\.count)
    var order = open.indices.filter { open[$0] == 0 }
    var next = 0
    while next < order.count {
      for wire in outgoing[order[next]] {
        guard let target = wires[wire]?.target else { continue }
        open[target] -= 1
        if open[target] == 0 { order.append(target) }
      }
      next += 1
    }
    self.order = order
  }

  /// Whether wires lead from a node back to itself.
  var hasCycle: Bool { order.count < incoming.count }

  /// The node that a wire of ``incoming`` or ``outgoing`` leaves.
  func source(of wire: Int) -> Int { ends[wire]!.source }

  /// The node that a wire of ``incoming`` or ``outgoing`` enters.
  func target(of wire: Int) -> Int { ends[wire]!.target }

  /// Some nodes, and all that lead to one of them.
  func nodes(leadingTo nodes: some Sequence<Int>) -> Set<Int> {
    reached(from: nodes) { incoming[$0].map(source) }
  }

  /// Some nodes, and all that one of them leads to.
  func nodes(reachedFrom nodes: some Sequence<Int>) -> Set<Int> {
    reached(from: nodes) { outgoing[$0].map(target) }
  }

  /// The first node, of one and those on the ways that lead to it, of which something holds.
  func first(leadingTo node: Int, where isWanted: (Int) -> Bool) -> Int? {
    var (pending, seen) = ([node], Set([node]))
    while let next = pending.popLast() {
      if isWanted(next) { return next }
      pending += incoming[next].map(source).filter { seen.insert($0).inserted }
    }
    return nil
  }

  private func reached(from nodes: some Sequence<Int>, by neighbours: (Int) -> [Int]) -> Set<Int> {
    var (seen, pending) = (Set(nodes), Array(nodes))
    while let node = pending.popLast() {
      pending += neighbours(node).filter { seen.insert($0).inserted }
    }
    return seen
  }
}
