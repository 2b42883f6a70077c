/// A node has the parameters that its type can't do without.
///
/// An empty text is none, unless the parameter is live and may become empty later, too.
enum MissingParameter: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    let missing = type.parameters.filter { info in
      info.isRequired && !node.unset.contains(info.name)
        && !node.fields.contains {
          $0.key.value == info.name && ($0.value.value != .string("") || info.isLive)
        }
    }
    return missing.map { info in
      let problem = NodeProblem.missingParameter(info.name, type: type.name, help: info.help)
      return Diagnostic(
        .node(problem), at: node.place(of: info.name), node: node.name.value, key: info.name)
    }
  }
}
