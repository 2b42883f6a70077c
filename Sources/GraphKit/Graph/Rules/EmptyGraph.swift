/// A graph has nodes.
enum EmptyGraph: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    guard draft.nodes.isEmpty, !draft.excusesAll else { return [] }
    return [Diagnostic(.fit(.noNodes), at: draft.start)]
  }
}
