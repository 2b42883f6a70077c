/// A wire names ports that its nodes have.
enum UnknownPort: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.rows.joined().compactMap { end in
      guard let port = end.port, let index = draft.index(of: end.node),
        draft.nodes[index].isSound, draft.nodes[index].port(port, .input) == nil,
        draft.nodes[index].port(port, .output) == nil
      else { return nil }
      let problem = WireProblem.unknownPort(
        PortReference(end.node, port), ports: draft.nodes[index].ports.map(\.name))
      return Diagnostic(.wire(problem), at: end.place, node: end.node, port: port)
    }
  }
}
