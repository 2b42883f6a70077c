/// A node's keys are parameters of its type.
enum UnknownParameter: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    let known = type.parameters.map(\.name)
    let keys = node.fields.map(\.key).filter { !known.contains($0.value) }
    return keys.map { key in
      let problem = NodeProblem.unknownParameter(key.value, type: type.name, known: known)
      return Diagnostic(.node(problem), at: key.place, node: node.name.value, key: key.value)
    }
  }
}
