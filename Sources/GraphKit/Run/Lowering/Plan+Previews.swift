/// The wires and nodes that only show what is recorded.
extension Plan {
  /// The wires that lead to previews alone, in a graph that has other sinks.
  var asideWires: Set<PlanWire> {
    guard let topology = try? Topology(self) else { return [] }
    let part = PreviewPart(topology)
    return Set(wires.indices.filter { part.isAside($0) }.map { wires[$0] })
  }
}
