/// What depends on ports that an optional node turns out to lack is left out: a graph for movies then
/// also serves those without sound.
extension GraphDraft {
  /// Removes each wire from such a port, and the nodes that nothing is left of: those whose every
  /// wire of a side is gone, and so on from them.
  mutating func leaveOutAbsent() {
    let absent = wires.filter { isAbsent($0.from) }
    guard !absent.isEmpty else { return }
    for wire in absent {
      guard let source = wire.source, let port = wire.from.port else { continue }
      nodes[source].notices.append(
        "it has no `\(port)`, so the wire to `\(wire.to.node)` is left out")
    }
    let gone = nodesWithout(absent)
    let remaining = wires.filter { wire in
      !gone.contains(wire.from.node) && !gone.contains(wire.to.node) && !isAbsent(wire.from)
    }
    rows = remaining.map { [$0.from, $0.to] }
    keep { !gone.contains($0.name.value) }
    wires = remaining.map { wire in
      var wire = wire
      (wire.source, wire.target) = (index(of: wire.from.node), index(of: wire.to.node))
      return wire
    }
  }

  /// Whether an end names an output that its node doesn't have, but might.
  private func isAbsent(_ end: DraftEnd) -> Bool {
    guard let port = end.port, let index = index(of: end.node), nodes[index].isOptional else {
      return false
    }
    return nodes[index].lacks(port)
  }

  /// The nodes that lose all that enters them or all that leaves them once some wires are gone.
  private func nodesWithout(_ absent: [DraftWire]) -> Set<String> {
    var gone: Set<String> = []
    var isGone = wires.map { isAbsent($0.from) }
    while true {
      let before = gone.count
      for side in [\DraftWire.to.node, \DraftWire.from.node] {
        for (name, indices) in Dictionary(grouping: wires.indices, by: { wires[$0][keyPath: side] })
        where indices.allSatisfy({ isGone[$0] }) { gone.insert(name) }
      }
      for index in wires.indices
      where gone.contains(wires[index].to.node) || gone.contains(wires[index].from.node) {
        isGone[index] = true
      }
      if gone.count == before { return gone }
    }
  }
}

extension DraftNode {
  /// Whether nodes of its type have an output that this one doesn't, such as a file without audio.
  func lacks(_ port: String) -> Bool {
    guard isSound, self.port(port, .output) == nil else { return false }
    let base = PortDeclaration.instance(port)?.base ?? port
    return type?.ports.contains { $0.name == base && $0.direction == .output } ?? false
  }
}
