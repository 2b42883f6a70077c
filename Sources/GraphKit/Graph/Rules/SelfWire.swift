/// A node isn't wired to itself.
enum SelfWire: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.wires.filter { $0.source != nil && $0.source == $0.target }.map { wire in
      Diagnostic(.wire(.selfWire(node: wire.to.node)), at: wire.to.place, node: wire.to.node)
    }
  }
}
