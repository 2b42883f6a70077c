/// Each input that a node can't do without is fed.
enum UnwiredInput: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let fed = Set(
      draft.wires.compactMap { wire in
        wire.input.map { PortReference(wire.to.node, $0.baseName) }
      })
    return draft.judged.flatMap { node in
      let inputs = node.ports(.input).filter(\.isRequired)
      let missing = inputs.filter { !fed.contains(PortReference(node.name.value, $0.name)) }
      return missing.map { input in
        let port = PortReference(node.name.value, input.name)
        return Diagnostic(
          .fit(.unwiredInput(port, input.format.kind)), at: node.name.place, node: port.node,
          port: port.port)
      }
    }
  }
}
