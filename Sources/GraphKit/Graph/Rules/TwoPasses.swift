/// What leads to an encoder that works in two passes can be had twice.
enum TwoPasses: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.nodes.indices.compactMap { index in
      guard draft.nodes[index].node?.making(.first, statistics: "") != nil,
        let source = draft.topology.first(
          leadingTo: index, where: { obstacle($0, in: draft) != nil }),
        let reason = obstacle(source, in: draft)
      else { return nil }
      let name = draft.nodes[index].name
      let problem = FitProblem.comesOnce(
        node: name.value, source: draft.nodes[source].name.value, reason)
      return Diagnostic(.fit(problem), at: name.place, node: name.value)
    }
  }

  /// Why what a node gives can't be had twice.
  private static func obstacle(_ node: Int, in draft: GraphDraft) -> SecondPassObstacle? {
    draft.nodes[node].node.flatMap { SecondPassObstacle($0) }
  }
}
