/// Something that must hold of a node by itself.
protocol NodeRule: SendableMetatype {
  /// What is wrong with a node of a type.
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic]
}

/// Something that must hold of the whole graph.
protocol GraphRule: SendableMetatype {
  /// What is wrong with the graph.
  static func check(_ draft: GraphDraft) -> [Diagnostic]
}
