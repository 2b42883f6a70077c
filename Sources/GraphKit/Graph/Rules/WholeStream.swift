/// What needs the whole of its input gets one that ends by itself, not that of a live source or of one
/// that repeats itself without end.
enum WholeStream: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let live = draft.nodes.indices.filter { isWithoutEnd($0, in: draft) }
    let fed = draft.topology.nodes(reachedFrom: live)
    return draft.nodes.indices.compactMap { index in
      guard draft.nodes[index].node?.traits.needsWholeStream == true, fed.contains(index),
        let source = draft.topology.first(
          leadingTo: index, where: { isWithoutEnd($0, in: draft) })
      else { return nil }
      let name = draft.nodes[index].name
      let problem = FitProblem.endless(
        node: name.value, source: draft.nodes[source].name.value,
        isLive: draft.nodes[source].node?.traits.isLive == true)
      return Diagnostic(.fit(problem), at: name.place, node: name.value)
    }
  }

  private static func isWithoutEnd(_ node: Int, in draft: GraphDraft) -> Bool {
    draft.nodes[node].node.map { $0.traits.isLive || $0.traits.isEndless } ?? false
  }
}
