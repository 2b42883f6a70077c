/// What needs the whole of its input gets one that ends by itself, not a live source's.
enum WholeStream: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let live = draft.nodes.indices.filter { draft.nodes[$0].node?.traits.isLive == true }
    let fed = draft.topology.nodes(reachedFrom: live)
    return draft.nodes.indices.compactMap { index in
      guard draft.nodes[index].node?.traits.needsWholeStream == true, fed.contains(index),
        let source = liveSource(of: index, in: draft)
      else { return nil }
      let name = draft.nodes[index].name
      let problem = FitProblem.endless(node: name.value, source: draft.nodes[source].name.value)
      return Diagnostic(.fit(problem), at: name.place, node: name.value)
    }
  }

  /// The first live node on the ways that lead to a node.
  private static func liveSource(of node: Int, in draft: GraphDraft) -> Int? {
    var (pending, seen) = ([node], Set([node]))
    while let next = pending.popLast() {
      if draft.nodes[next].node?.traits.isLive == true { return next }
      for source in draft.topology.incoming[next].map(draft.topology.source) {
        if seen.insert(source).inserted { pending.append(source) }
      }
    }
    return nil
  }
}
