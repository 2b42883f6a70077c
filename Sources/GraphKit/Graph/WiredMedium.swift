/// Nodes that serve audio as well as video take the medium of what they are wired to.
extension GraphDraft {
  mutating func adoptMedia() {
    var open = Set(nodes.indices.filter { nodes[$0].isSound && nodes[$0].asksForMedium })
    guard !open.isEmpty else { return }
    let incoming = Dictionary(grouping: wires.filter { $0.target != nil }) { $0.target ?? 0 }
    let outgoing = Dictionary(grouping: wires.filter { $0.source != nil }) { $0.source ?? 0 }
    // A row of such nodes has its medium from either end.
    while true {
      let known = open.sorted().compactMap { index in
        medium(incoming[index] ?? [], outgoing[index] ?? [], besides: open).map { (index, $0) }
      }
      guard !known.isEmpty else { return }
      for (index, medium) in known {
        _ = nodes[index].node?.adopt(medium)
        nodes[index].ports = nodes[index].node?.portDeclarations ?? []
        open.remove(index)
      }
    }
  }

  /// What wires into a node say, or else those that leave it: an encoder behind it, say.
  private func medium(
    _ incoming: [DraftWire], _ outgoing: [DraftWire], besides open: Set<Int>
  ) -> MediaKind? {
    let before = incoming.compactMap { medium(of: $0.from, .output, at: $0.source, besides: open) }
    let after = outgoing.compactMap { medium(of: $0.to, .input, at: $0.target, besides: open) }
    return before.first ?? after.first
  }

  /// Audio or video, where an end of a wire can have but one of them.
  private func medium(
    of end: DraftEnd, _ direction: PortDirection, at index: Int?, besides open: Set<Int>
  ) -> MediaKind? {
    guard let index, nodes[index].isSound, !open.contains(index) else { return nil }
    let kinds = Set(ports(end, direction, of: nodes[index]).map { $0.format.kind.decoded })
    guard kinds.count == 1, let kind = kinds.first, kind == .audio || kind == .video else {
      return nil
    }
    return kind
  }
}

extension DraftNode {
  /// Whether the node's ports depend on the medium of what it is wired to.
  fileprivate var asksForMedium: Bool {
    var copy = node
    return copy?.adopt(.audio) ?? false
  }
}
