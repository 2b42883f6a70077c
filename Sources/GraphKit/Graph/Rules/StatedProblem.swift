/// The node itself has nothing against its parameters together, each of which holds.
enum StatedProblem: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    let nodes = [node.node].compactMap(\.self) + node.atKeyframes(of: type)
    return nodes.lazy.compactMap(\.problem).first.map { [node.stated($0)] } ?? []
  }
}
