/// The node itself has nothing against its parameters together, each of which holds.
enum StatedProblem: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    node.node?.problem.map { [node.stated($0)] } ?? []
  }
}
