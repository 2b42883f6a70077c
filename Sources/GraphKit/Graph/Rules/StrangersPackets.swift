/// Packets of a file that another process reads go only into sinks that write them: what else takes them
/// would look into them here.
enum StrangersPackets: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.wires.indices.compactMap { index in
      let wire = draft.wires[index]
      guard let source = wire.source, let target = wire.target, let output = wire.output,
        draft.nodes[source].node?.traits.isReadApart == true,
        opens(index, output.format.kind, in: draft)
      else { return nil }
      let port = PortReference(draft.nodes[source].name.value, output.name)
      let problem = FitProblem.strangersPackets(port, to: draft.nodes[target].name.value)
      return Diagnostic(.fit(problem), at: wire.to.place, node: draft.nodes[target].name.value)
    }
  }

  /// Whether packets of a kind on a wire get to what would look into them.
  private static func opens(_ wire: Int, _ kind: MediaKind, in draft: GraphDraft) -> Bool {
    guard kind.isEncoded || kind == .text, let target = draft.wires[wire].target,
      let node = draft.nodes[target].node, let type = draft.nodes[target].type,
      let input = draft.wires[wire].input?.format.kind
    else { return false }
    let isWritten = type.role == .sink && !node.traits.isBestEffort
    if kind == .text || input.isEncoded { return type.role != .decoder && !isWritten }
    return input == .any && type.role != .decoder && leads(from: target, kind, in: draft)
  }

  /// Whether what enters a node that hands anything on gets to an input for packets: it is decoded.
  private static func leads(from node: Int, _ kind: MediaKind, in draft: GraphDraft) -> Bool {
    var (pending, seen) = ([node], Set([node]))
    while let next = pending.popLast() {
      for wire in draft.topology.outgoing[next] {
        let target = draft.topology.target(of: wire)
        guard let input = draft.wires[wire].input?.format.kind,
          draft.nodes[target].type?.role != .decoder
        else { continue }
        if draft.wires[wire].format.kind == kind, input == kind { return true }
        if input == .any, seen.insert(target).inserted { pending.append(target) }
      }
    }
    return false
  }
}
