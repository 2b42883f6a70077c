/// A node's type is one of the catalog's.
enum UnknownType {
  static func check(_ node: DraftNode, in catalog: Catalog) -> [Diagnostic] {
    guard let type = node.typeName, catalog[type.value] == nil, node.type == nil else { return [] }
    let problem = NodeProblem.unknownType(type.value, known: catalog.all.map(\.name))
    return [Diagnostic(.node(problem), at: type.place, node: node.name.value, key: "type")]
  }
}
