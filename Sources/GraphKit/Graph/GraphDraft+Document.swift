extension GraphDraft {
  /// A draft of what a document says, with `${…}` replaced.
  init(_ document: GraphDocument, catalog: Catalog, overrides: [String: String]) {
    self.init(catalog: catalog, file: document.file)
    diagnostics = document.diagnostics
    omitted = document.omitted
    start = document.start
    excusesAll = document.hasUnreadableWires
    var substitution = Substitution(document, overrides: overrides)
    for entry in document.nodes { add(DraftNode(entry, &substitution)) }
    substitution.finish()
    diagnostics += substitution.diagnostics
    excused = Set(document.mentioned.compactMap(index(of:)))
    rows = document.wires.map { wire in
      wire.ends.map { DraftEnd(node: $0.node, port: $0.port, place: $0.place) }
    }
  }
}

extension DraftNode {
  fileprivate init(_ entry: GraphDocument.NodeEntry, _ substitution: inout Substitution) {
    name = entry.name
    typeName = entry.type
    for field in entry.fields {
      if let field = substitution.apply(to: field, of: entry.name.value) {
        fields.append(field)
      } else {
        unset.insert(field.key.value)
        isSound = false
      }
    }
  }
}
