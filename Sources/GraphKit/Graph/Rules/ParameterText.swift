/// Text holds no NUL: what opens files and draws letters takes it for the text's end, and would do
/// something else than the graph says.
enum ParameterText: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    node.values(of: type).compactMap { field, info in
      guard field.value.value.holdsNUL else { return nil }
      return Diagnostic(
        .node(.nulCharacter(info.name)), at: field.value.place, node: node.name.value,
        key: info.name)
    }
  }
}

extension JSONValue {
  fileprivate var holdsNUL: Bool {
    switch self {
    case .string(let text): text.utf8.contains(0)
    case .array(let items): items.contains(where: \.holdsNUL)
    case .object(let fields): fields.contains { $0.key.utf8.contains(0) || $0.value.holdsNUL }
    default: false
    }
  }
}
