/// A part of a file is decoded, or copied into a file that skips what its decoding begins with: where
/// it would be copied elsewhere, its first packets may not be decodable.
enum CopiedRange: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.wires.indices.compactMap { index in
      let wire = draft.wires[index]
      guard let port = wire.encodedRange(in: draft), let target = wire.target,
        !wire.isDecoded, draft.nodes[target].type?.role != .decoder
      else { return nil }
      let name = draft.nodes[target].name.value
      let problem: FitProblem? =
        if !takesRanges(target, in: draft) {
          .copiedRange(port, to: name)
        } else if let other = stranger(beside: index, in: draft) {
          .mixedRange(port, to: name, with: other.port, other.kind)
        } else {
          otherWay(of: wire, in: draft).map { .sharedRange(port, to: name, and: $0) }
        }
      return problem.map { Diagnostic(.fit($0), at: wire.from.place, node: wire.from.node) }
    }
  }

  private static func takesRanges(_ node: Int, in draft: GraphDraft) -> Bool {
    draft.nodes[node].node?.traits.copiesRanges == true
  }

  /// What goes to the same node and is no such range, where the wire is the first that carries one there:
  /// all of the file begins with the range. What the other file lacks is an error of its own.
  private static func stranger(
    beside index: Int, in draft: GraphDraft
  ) -> (port: PortReference, kind: MediaKind)? {
    let target = draft.wires[index].target
    let others = draft.wires.indices.filter { draft.wires[$0].target == target }
    guard others.first(where: { draft.wires[$0].encodedRange(in: draft) != nil }) == index else {
      return nil
    }
    return others.lazy.compactMap { other in
      let wire = draft.wires[other]
      guard let source = wire.source, let output = wire.output,
        wire.encodedRange(in: draft) == nil
      else { return nil }
      return (PortReference(draft.nodes[source].name.value, output.name), output.format.kind)
    }.first
  }

  /// The node that the same stream goes to besides.
  private static func otherWay(of wire: DraftWire, in draft: GraphDraft) -> String? {
    draft.wires.lazy.compactMap { other in
      guard other.source == wire.source, other.output?.name == wire.output?.name,
        let target = other.target, target != wire.target, !takesRanges(target, in: draft)
      else { return nil }
      return draft.nodes[target].name.value
    }.first
  }
}

extension DraftWire {
  /// Whether what passes is decoded on its way, as its input takes raw media alone.
  fileprivate var isDecoded: Bool { input?.format.kind == .audio || input?.format.kind == .video }

  /// The output that the wire begins at, where that is a part of a file's stream, encoded.
  fileprivate func encodedRange(in draft: GraphDraft) -> PortReference? {
    guard let source, let port = output,
      draft.nodes[source].node?.fileStreams?[port.name]?.range != nil,
      port.format.kind == .encodedAudio || port.format.kind == .encodedVideo
    else { return nil }
    return PortReference(draft.nodes[source].name.value, port.name)
  }
}
