/// Nodes that serve audio as well as video take the medium of what they are wired to.
extension GraphDraft {
  mutating func adoptMedia() {
    let incoming = Dictionary(grouping: wires.filter { $0.target != nil }) { $0.target ?? 0 }
    let outgoing = Dictionary(grouping: wires.filter { $0.source != nil }) { $0.source ?? 0 }
    for index in nodes.indices where nodes[index].isSound {
      // What enters says it best; an encoder behind the node may say it, too.
      let before = (incoming[index] ?? []).compactMap { medium(of: $0.from, .output, at: $0.source) }
      let after = (outgoing[index] ?? []).compactMap { medium(of: $0.to, .input, at: $0.target) }
      guard let media = before.first ?? after.first, nodes[index].node?.adopt(media) == true else { continue }
      nodes[index].ports = nodes[index].node?.portDeclarations ?? []
    }
  }

  /// Audio or video, where an end of a wire can have but one of them.
  private func medium(
    of end: DraftEnd, _ direction: PortDirection, at index: Int?
  ) -> MediaKind? {
    guard let index, nodes[index].isSound else { return nil }
    let kinds = Set(ports(end, direction, of: nodes[index]).map { $0.format.kind.decoded })
    guard kinds.count == 1, let kind = kinds.first, kind == .audio || kind == .video else {
      return nil
    }
    return kind
  }
}
