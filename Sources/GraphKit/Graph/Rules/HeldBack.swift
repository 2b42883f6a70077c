/// A node that gives nothing before its input ends is on no path that joins another from the same
/// output: the join takes nothing more from the other path, which fills, and then the node isn't
/// fed.
enum HeldBack: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let holders = draft.nodes.indices.filter {
      draft.nodes[$0].node?.traits.needsWholeStream == true
    }
    guard !holders.isEmpty else { return [] }
    let circling = draft.circlingNodes
    return holders.compactMap { index in
      // The walk never turns around on a wire, so it comes back only where wires make a circle.
      guard circling.contains(index) else { return nil }
      var search = HeldBackSearch(draft, holder: index)
      guard let (held, other) = search.ways() else { return nil }
      let name = draft.nodes[index].name
      let problem = FitProblem.heldBack(node: name.value, way: held, beside: other)
      return Diagnostic(.fit(problem), at: name.place, node: name.value)
    }
  }
}

extension GraphDraft {
  /// The nodes that are left where all that depend on one wire alone are taken away, again and again:
  /// those on circles, whichever way their wires run, and between such.
  fileprivate var circlingNodes: Set<Int> {
    var neighbours = nodes.indices.map { node in
      Set(topology.outgoing[node] + topology.incoming[node])
    }
    var pending = nodes.indices.filter { neighbours[$0].count < 2 }
    var left = Set(nodes.indices)
    while let node = pending.popLast() {
      guard left.remove(node) != nil, let wire = neighbours[node].first else { continue }
      for end in [wires[wire].source, wires[wire].target].compactMap(\.self) {
        neighbours[end].remove(wire)
        if neighbours[end].count == 1 { pending.append(end) }
      }
    }
    return left
  }
}

/// A walk from what a node gives back to what it takes, along wires in either direction: forwards,
/// as who gets nothing gives nothing, and backwards, as who can't give stops taking.
private struct HeldBackSearch {
  /// A wire, as the walk goes along it.
  private struct Step {
    var wire: Int
    var isForward: Bool
    /// The step before it.
    var previous: Int?
  }
  private let draft: GraphDraft
  private let holder: Int
  private var steps: [Step] = []
  private var seen: Set<[Int]> = []

  init(_ draft: GraphDraft, holder: Int) {
    self.draft = draft
    self.holder = holder
  }

  /// The way through the node from where it parts with another to where they join, and that other
  /// one, both as a message has them; `nil` where there is none.
  mutating func ways() -> (held: String, other: String)? {
    for wire in wires(from: holder) { add(wire, isForward: true, after: nil) }
    var next = 0
    while next < steps.count {
      let step = steps[next]
      if step.isForward, draft.wires[step.wire].target == holder { return named(endingWith: next) }
      follow(step, at: next)
      next += 1
    }
    return nil
  }

  private mutating func follow(_ step: Step, at index: Int) {
    let wire = draft.wires[step.wire]
    guard let source = wire.source, let target = wire.target else { return }
    if step.isForward {
      for wire in wires(from: target) { add(wire, isForward: true, after: index) }
      for wire in wires(into: target) where wire != step.wire {
        add(wire, isForward: false, after: index)
      }
    } else {
      // One that holds its stream back takes all of it, however full what follows is.
      guard draft.nodes[source].node?.traits.needsWholeStream != true else { return }
      for wire in wires(into: source) { add(wire, isForward: false, after: index) }
      for wire in wires(from: source) where wire != step.wire && isSameStream(step.wire, wire) {
        add(wire, isForward: true, after: index)
      }
    }
  }

  /// Each wire is walked once each way.
  private mutating func add(_ wire: Int, isForward: Bool, after previous: Int?) {
    guard seen.insert([wire, isForward ? 1 : 0]).inserted else { return }
    steps.append(Step(wire: wire, isForward: isForward, previous: previous))
  }

  private func wires(from node: Int) -> [Int] { draft.topology.outgoing[node] }

  private func wires(into node: Int) -> [Int] { draft.topology.incoming[node] }

  /// Whether two wires that leave a node wait for each other: streams with readers of their own don't.
  private func isSameStream(_ first: Int, _ second: Int) -> Bool {
    guard let node = draft.wires[first].source,
      draft.nodes[node].node?.readsStreamsApart == true
    else { return true }
    return draft.wires[first].output?.name == draft.wires[second].output?.name
  }

  /// In words the way that ends with a step; `nil` for a circle, which another rule names.
  private func named(endingWith last: Int) -> (held: String, other: String)? {
    var path: [Step] = []
    var index: Int? = last
    while let step = index {
      path.append(steps[step])
      index = steps[step].previous
    }
    path.reverse()
    guard let behind = path.firstIndex(where: { !$0.isForward }),
      let before = path.lastIndex(where: { !$0.isForward })
    else { return nil }
    let held = (path[(before + 1)...] + path[..<behind]).map(\.wire)
    return (row(of: held), crossing(path[behind...before].reversed()))
  }

  /// Nodes one after another.
  private func row(of wires: [Int]) -> String {
    let first = wires.first.map { draft.wires[$0].from.node } ?? ""
    return ([first] + wires.map { draft.wires[$0].to.node }).joined(separator: " -> ")
  }

  /// The other way, seen from where it parts. It goes against some wires where it leads over more
  /// than one join.
  private func crossing(_ steps: [Step]) -> String {
    var text = steps.first.map { draft.wires[$0.wire].from.node } ?? ""
    for step in steps {
      let wire = draft.wires[step.wire]
      text += step.isForward ? " <- \(wire.from.node)" : " -> \(wire.to.node)"
    }
    return text
  }
}
