/// A part of a file is decoded: where it would be copied, its first packets may not be decodable.
enum CopiedRange: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.wires.indices.compactMap { index in
      let wire = draft.wires[index]
      guard let source = wire.source, let target = wire.target, let port = wire.output,
        draft.nodes[source].node?.fileStreams?[port.name]?.range != nil,
        port.format.kind == .encodedAudio || port.format.kind == .encodedVideo,
        draft.nodes[target].type?.role != .decoder
      else { return nil }
      let problem = FitProblem.copiedRange(
        PortReference(draft.nodes[source].name.value, port.name),
        to: draft.nodes[target].name.value)
      return Diagnostic(.fit(problem), at: wire.from.place, node: wire.from.node)
    }
  }
}
