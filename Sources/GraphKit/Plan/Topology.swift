/// A plan's nodes and wires by number, so that passes needn't search by name.
struct Topology {
  let plan: Plan
  /// The number of each node.
  let indexes: [String: Int]
  /// For each node the numbers of the wires that enter it.
  let incoming: [[Int]]
  /// For each node the numbers of the wires that leave it.
  let outgoing: [[Int]]
  /// The nodes' numbers, each after all that lead to it.
  let order: [Int]

  init(_ plan: Plan) throws(PlanError) {
    self.plan = plan
    let indexes = Dictionary(
      plan.nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var incoming = Array(repeating: [Int](), count: plan.nodes.count)
    var outgoing = incoming
    for (number, wire) in plan.wires.enumerated() {
      guard let from = indexes[wire.from.node], let to = indexes[wire.to.node] else { continue }
      outgoing[from].append(number)
      incoming[to].append(number)
    }
    self.indexes = indexes
    self.incoming = incoming
    self.outgoing = outgoing
    order = Self.sort(plan, incoming: incoming, outgoing: outgoing, indexes: indexes)
    guard order.count == plan.nodes.count else {
      let sorted = Set(order)
      throw .cycle(plan.nodes.indices.filter { !sorted.contains($0) }.map { plan.nodes[$0].name })
    }
  }

  private static func sort(
    _ plan: Plan, incoming: [[Int]], outgoing: [[Int]], indexes: [String: Int]
  ) -> [Int] {
    var open = incoming.map(\.count)
    var order = open.indices.filter { open[$0] == 0 }
    var next = 0
    while next < order.count {
      for wire in outgoing[order[next]] {
        guard let to = indexes[plan.wires[wire].to.node] else { continue }
        open[to] -= 1
        if open[to] == 0 { order.append(to) }
      }
      next += 1
    }
    return order
  }

  /// The node that a wire leaves.
  func source(of wire: Int) -> Int { indexes[plan.wires[wire].from.node]! }

  /// The node that a wire enters.
  func target(of wire: Int) -> Int { indexes[plan.wires[wire].to.node]! }
}
