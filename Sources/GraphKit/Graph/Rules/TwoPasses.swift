/// What leads to an encoder that works in two passes can be had twice.
enum TwoPasses: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.nodes.indices.compactMap { index in
      guard draft.nodes[index].node?.making(.first, statistics: "") != nil,
        let (source, reason) = comesOnce(before: index, in: draft)
      else { return nil }
      let name = draft.nodes[index].name
      let problem = FitProblem.comesOnce(
        node: name.value, source: draft.nodes[source].name.value, reason)
      return Diagnostic(.fit(problem), at: name.place, node: name.value)
    }
  }

  /// The first node on the ways that lead to a node whose samples come once, and why.
  private static func comesOnce(
    before node: Int, in draft: GraphDraft
  ) -> (node: Int, reason: SecondPassObstacle)? {
    var (pending, seen) = ([node], Set([node]))
    while let next = pending.popLast() {
      if let node = draft.nodes[next].node, let reason = SecondPassObstacle(node) {
        return (next, reason)
      }
      for source in draft.topology.incoming[next].map(draft.topology.source) {
        if seen.insert(source).inserted { pending.append(source) }
      }
    }
    return nil
  }
}
