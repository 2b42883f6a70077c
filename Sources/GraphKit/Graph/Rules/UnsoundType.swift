/// The type itself is declared without a contradiction.
enum UnsoundType: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    type.fault.map { [node.stated($0)] } ?? []
  }
}
