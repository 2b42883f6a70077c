/// A word is one of those that its parameter lists.
enum ParameterChoice: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    node.values(of: type).compactMap { field, info in
      guard let words = info.kind.words, case .string(let word) = field.value.value,
        !words.contains(word)
      else { return nil }
      let problem = NodeProblem.notAChoice(
        info.name, type: type.name, value: word, choices: words)
      return Diagnostic(
        .node(problem), at: field.value.place, node: node.name.value, key: info.name)
    }
  }
}

extension ParameterKind {
  /// The words that a value may be.
  var words: [String]? {
    switch self {
    case .choice(let words): words
    case .numberOrWord(_, let word): [word]
    default: nil
    }
  }
}
