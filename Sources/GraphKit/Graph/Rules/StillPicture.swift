/// What is encoded is more than a file's single picture.
enum StillPicture: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.nodes.indices.compactMap { index in
      guard draft.nodes[index].type?.role == .encoder, let source = still(before: index, in: draft)
      else { return nil }
      let name = draft.nodes[index].name
      let problem = FitProblem.still(node: name.value, source: draft.nodes[source].name.value)
      return Diagnostic(.fit(problem), at: name.place, node: name.value, severity: .warning)
    }
  }

  /// The source of a single picture that alone reaches a node: where others enter on the way, they
  /// may have a length.
  private static func still(before node: Int, in draft: GraphDraft) -> Int? {
    var (next, seen) = (node, Set([node]))
    while true {
      let entering = draft.topology.incoming[next]
      guard entering.count == 1 else { return nil }
      let source = draft.topology.source(of: entering[0])
      let port = draft.wires[entering[0]].output?.name ?? ""
      if draft.nodes[source].node?.fileStreams?[port]?.isStill == true { return source }
      guard seen.insert(source).inserted else { return nil }
      next = source
    }
  }
}
