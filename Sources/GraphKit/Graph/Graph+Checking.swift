extension Graph {
  /// Checks a document against a catalog and the machine.
  ///
  /// All that is wrong is found together, each thing once: what follows only from something that
  /// is reported already isn't.
  /// - Parameters:
  ///   - document: the graph as it is written.
  ///   - catalog: the node types that it may name.
  ///   - environment: what nodes may ask of the machine.
  ///   - overrides: texts for the graph's parameters, each read as the parameter's default is
  ///     typed: `--set name=text`.
  public init(
    checking document: GraphDocument, catalog: Catalog, environment: any Environment,
    set overrides: [String: String] = [:]
  ) throws(GraphErrors) {
    var draft = GraphDraft(document, catalog: catalog, overrides: overrides)
    draft.reportOpenPorts(of: document)
    self = try draft.check(in: environment)
  }

  /// The graph of a draft in which nothing is wrong.
  init(_ draft: GraphDraft) {
    let wires = draft.wires.compactMap(GraphWire.init)
    let inputs = Dictionary(grouping: draft.wires, by: \.to.node)
    self.init(
      nodes: draft.nodes.compactMap { GraphNode($0, inputs[$0.name.value] ?? []) }, wires: wires,
      notices: draft.nodes.flatMap { node in
        node.notices.map { Notice(node: node.name.value, message: $0) }
      } + draft.lostShifts,
      catalog: draft.catalog, warnings: draft.diagnostics.inOrder.once.map { $0.in(draft.file) },
      includedGraphs: draft.inclusions.compactMapValues(\.file),
      // A node that is left out of the graph has nothing to give up.
      whenSlow: draft.steps?.map(\.step).filter { step in
        step.node.map { draft.index(of: $0) != nil } ?? true
      })
  }
}

extension GraphWire {
  fileprivate init?(_ wire: DraftWire) {
    guard let fact = WireFact(wire) else { return nil }
    self.init(from: fact.from, to: fact.to, place: wire.to.place)
  }
}

extension GraphNode {
  fileprivate init?(_ draft: DraftNode, _ entering: [DraftWire]) {
    guard let type = draft.type, let node = draft.node else { return nil }
    let wired = entering.compactMap(\.input).filter(\.isRepeatable)
      .sorted { $0.instanceNumber < $1.instanceNumber }
    self.init(
      name: draft.name.value, type: type,
      parameters: Dictionary(
        draft.fields.map { ($0.key.value, $0.value.value) }, uniquingKeysWith: { $1 }),
      node: node,
      ports: draft.ports.flatMap { port in
        port.isRepeatable ? wired.filter { $0.baseName == port.name } : [port]
      },
      place: draft.name.place)
  }
}
