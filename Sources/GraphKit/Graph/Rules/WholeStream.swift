/// What needs the whole of its input gets one that ends by itself, not a live source's.
enum WholeStream: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let fed = nodesFedLive(in: draft)
    return draft.nodes.indices.compactMap { index in
      guard draft.nodes[index].node?.traits.needsWholeStream == true, fed.contains(index),
        let source = liveSource(of: index, in: draft)
      else { return nil }
      let name = draft.nodes[index].name
      let problem = FitProblem.endless(node: name.value, source: draft.nodes[source].name.value)
      return Diagnostic(.fit(problem), at: name.place, node: name.value)
    }
  }

  /// The live nodes, and all that they lead to.
  private static func nodesFedLive(in draft: GraphDraft) -> Set<Int> {
    var pending = draft.nodes.indices.filter { draft.nodes[$0].node?.traits.isLive == true }
    var fed = Set(pending)
    while let next = pending.popLast() {
      for wire in draft.wires(from: next) {
        if let target = draft.wires[wire].target, fed.insert(target).inserted {
          pending.append(target)
        }
      }
    }
    return fed
  }

  /// The first live node on the ways that lead to a node.
  private static func liveSource(of node: Int, in draft: GraphDraft) -> Int? {
    var (pending, seen) = ([node], Set([node]))
    while let next = pending.popLast() {
      if draft.nodes[next].node?.traits.isLive == true { return next }
      for wire in draft.wires(into: next) {
        if let source = draft.wires[wire].source, seen.insert(source).inserted {
          pending.append(source)
        }
      }
    }
    return nil
  }
}
