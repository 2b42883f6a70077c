/// A node has the parameters that its type can't do without.
enum MissingParameter: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    let empty = JSONValue.string("")
    let given = node.fields.filter { $0.value.value != empty }.map(\.key.value)
    let missing = type.parameters.filter {
      $0.isRequired && !given.contains($0.name) && !node.unset.contains($0.name)
    }
    return missing.map { info in
      let problem = NodeProblem.missingParameter(info.name, type: type.name, help: info.help)
      return Diagnostic(
        .node(problem), at: node.place(of: info.name), node: node.name.value, key: info.name)
    }
  }
}
