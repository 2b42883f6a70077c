/// What a file says of its times, its chapters and its texts, is true of what a sink gets of it with them.
enum MovedTimes: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.nodes.indices.filter { draft.topology.outgoing[$0].isEmpty }
      .flatMap { texts(at: $0, in: draft) + chapters(at: $0, in: draft) }
  }

  /// The texts that come to a sink as they are in a file, beside what was changed in time on its way.
  private static func texts(at sink: Int, in draft: GraphDraft) -> [Diagnostic] {
    draft.topology.incoming[sink].compactMap { wire in
      let source = draft.topology.source(of: wire)
      guard let port = draft.wires[wire].output, port.format.kind == .text,
        draft.nodes[source].node?.fileStreams?[port.name] != nil,
        !draft.hasVideoAsItIs(of: source, at: sink),
        let other = draft.first(between: source, and: sink, where: draft.changesTimes)
      else { return nil }
      let name = draft.nodes[sink].name.value
      let problem = FitProblem.movedText(
        PortReference(draft.nodes[source].name.value, port.name),
        by: draft.nodes[other].name.value, in: name)
      return Diagnostic(
        .fit(problem), at: draft.wires[wire].to.place, node: name, severity: .warning)
    }
  }

  /// The files whose chapters a sink would write, and gets none of.
  private static func chapters(at sink: Int, in draft: GraphDraft) -> [Diagnostic] {
    guard draft.nodes[sink].node?.traits.writesChapters == true else { return [] }
    let kept = draft.nodesOfKnownTimes(before: sink)
    guard !kept.contains(where: draft.hasChapters) else { return [] }
    return draft.topology.nodes(leadingTo: [sink]).sorted().filter(draft.hasChapters)
      .compactMap { source in
        guard let other = draft.first(between: source, and: sink, where: { !draft.saysTimes($0) })
        else { return nil }
        let name = draft.nodes[sink].name
        let problem = FitProblem.lostChapters(
          of: draft.nodes[source].name.value, by: draft.nodes[other].name.value, in: name.value,
          isKnown: draft.changesTimes(other))
        return Diagnostic(.fit(problem), at: name.place, node: name.value, severity: .warning)
      }
  }
}

extension GraphDraft {
  fileprivate func hasChapters(_ node: Int) -> Bool {
    nodes[node].node?.fileStreams?.values.contains { !$0.chapters.isEmpty } ?? false
  }

  /// Whether a sink gets video of a file at its own times: texts stay with it, however audio beside it is
  /// moved.
  fileprivate func hasVideoAsItIs(of source: Int, at sink: Int) -> Bool {
    topology.incoming[sink].contains { wire in
      wires[wire].output?.format.kind.decoded == .video
        && topology.source(of: wire) == source
    }
  }

  fileprivate func changesTimes(_ node: Int) -> Bool {
    nodes[node].node.map { $0.traits.movesTimes || $0.traits.timeChange != nil } ?? false
  }

  fileprivate func saysTimes(_ index: Int) -> Bool {
    guard let node = nodes[index].node, let type = nodes[index].type else { return false }
    return type.saysTimes(of: node)
  }

  /// The first node on ways from one to another of which something holds.
  fileprivate func first(
    between source: Int, and sink: Int, where isWanted: (Int) -> Bool
  ) -> Int? {
    let reached = topology.nodes(reachedFrom: [source])
    let leading = topology.nodes(leadingTo: [sink])
    return topology.order.first { node in
      node != source && node != sink && reached.contains(node) && leading.contains(node)
        && isWanted(node)
    }
  }

  /// The nodes that lead to a sink over none but those whose times are known.
  fileprivate func nodesOfKnownTimes(before sink: Int) -> Set<Int> {
    var (seen, pending) = (Set<Int>(), [sink])
    while let next = pending.popLast() {
      guard next == sink || saysTimes(next) else { continue }
      pending += topology.incoming[next].map(topology.source).filter { seen.insert($0).inserted }
    }
    return seen
  }
}
