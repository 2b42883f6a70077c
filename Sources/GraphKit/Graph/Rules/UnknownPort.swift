/// A wire names ports that its nodes have.
enum UnknownPort: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.rows.joined().compactMap { end in
      guard let port = end.port, let index = draft.index(of: end.node),
        draft.nodes[index].isSound, draft.nodes[index].port(port, .input) == nil,
        draft.nodes[index].port(port, .output) == nil
      else { return nil }
      let (node, reference) = (draft.nodes[index], PortReference(end.node, port))
      let names = node.ports.map(\.name)
      let problem: WireProblem =
        node.lacks(port)
        ? .absentPort(reference, ports: names) : .unknownPort(reference, ports: names)
      return Diagnostic(.wire(problem), at: end.place, node: end.node, port: port)
    }
  }
}
