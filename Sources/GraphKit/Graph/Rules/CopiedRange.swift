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
      let problem: FitProblem
      if !takesRanges(target, in: draft) {
        problem = .copiedRange(port, to: name)
      } else if isMixed(wire, in: draft) {
        problem = .mixedRange(port, to: name)
      } else {
        return nil
      }
      return Diagnostic(.fit(problem), at: wire.from.place, node: wire.from.node)
    }
  }

  private static func takesRanges(_ node: Int, in draft: GraphDraft) -> Bool {
    draft.nodes[node].node?.traits.copiesRanges == true
  }

  /// Whether something else goes to the same node, or the same stream elsewhere: all of the file
  /// begins with the range. What the other file lacks is an error of its own.
  private static func isMixed(_ wire: DraftWire, in draft: GraphDraft) -> Bool {
    draft.wires.contains { other in
      if other.target == wire.target {
        return other.output != nil && other.encodedRange(in: draft) == nil
      }
      guard other.source == wire.source, other.output?.name == wire.output?.name else {
        return false
      }
      return !(other.target.map { takesRanges($0, in: draft) } ?? false)
    }
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
