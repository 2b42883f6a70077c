import GraphKit

extension NodePage {
  /// The page of a graph that is to be a node of others: its open ports and parameters.
  init(_ document: GraphDocument, _ catalog: Catalog) {
    name = document.file ?? "graph"
    (role, elements, isMadeOfElements, isGraph) = (.general, [], false, true)
    help = "A graph of \(document.nodes.count) nodes, for a node of the type `graph`."
    example = "\"look\": { \"type\": \"graph\", \"path\": \"\(name)\" }"
    ports = [(PortDirection.input, document.inputs), (.output, document.outputs)]
      .flatMap { direction, ports in
        ports.map { Port($0, direction, of: document, catalog) }
      }
    parameters = document.parameters.map { parameter in
      let value = parameter.defaultValue.value
      return Value(
        name: parameter.name.value, type: value.spoken,
        defaultValue: value == .null ? nil : value, isRequired: value == .null, isLive: false,
        help: "")
    }
  }
}

extension NodePage.Port {
  /// An open port, with what is known of the port that it leads to.
  fileprivate init(
    _ open: GraphDocument.OpenPort, _ direction: PortDirection, of document: GraphDocument,
    _ catalog: Catalog
  ) {
    let entry = document.nodes.first { $0.name.value == open.end.node }
    let ports = (entry?.type).flatMap { catalog[$0.value] }?.ports ?? []
    let those = ports.filter { $0.direction == direction }
    let port = open.end.port.map { name in those.first { $0.name == name } } ?? those.first
    let end = open.end.port.map { "\(open.end.node).\($0)" } ?? open.end.node
    self.init(
      name: open.name.value, direction: direction, format: port?.format.description ?? "any",
      isRepeatable: false, isRequired: port?.isRequired ?? true, help: "Leads to `\(end)`.")
  }
}
