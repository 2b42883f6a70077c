/// A wire names nodes that there are.
enum UnknownNode: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let known = draft.names
    return draft.rows.joined().filter { draft.index(of: $0.node) == nil }.map { end in
      Diagnostic(
        .wire(.unknownNode(end.node, known: known)), at: end.place, node: end.node)
    }
  }
}
