/// A wire runs from an output to an input, between nodes that have such.
enum WireDirection: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.rows.flatMap { row in
      row.enumerated().flatMap { position, end in
        let roles: [PortDirection] =
          (position > 0 || end.isMiddle ? [.input] : [])
          + (position < row.count - 1 || end.isMiddle ? [.output] : [])
        return check(end, as: roles, in: draft)
      }
    }
  }

  private static func check(
    _ end: DraftEnd, as roles: [PortDirection], in draft: GraphDraft
  ) -> [Diagnostic] {
    guard let index = draft.index(of: end.node), draft.nodes[index].isSound else { return [] }
    let node = draft.nodes[index]
    return roles.compactMap { role in
      let ports = node.ports(role).map(\.name)
      if let port = end.port, roles.count == 1, node.port(port, role) == nil,
        node.port(port, role.opposite) != nil
      {
        let problem = WireProblem.wrongDirection(
          PortReference(end.node, port), is: role.opposite, others: ports)
        return Diagnostic(.wire(problem), at: end.place, node: end.node, port: port)
      }
      guard ports.isEmpty, end.port == nil || roles.count == 2 else { return nil }
      let problem = WireProblem.noPort(node: end.node, role)
      return Diagnostic(.wire(problem), at: end.place, node: end.node)
    }
  }
}
