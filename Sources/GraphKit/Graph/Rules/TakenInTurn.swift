/// What feeds an input that waits for its turn can wait: it isn't live, and feeds no input of another
/// turn.
enum TakenInTurn: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.nodes.indices.filter { draft.nodes[$0].node?.traits.takesInputsInTurn == true }
      .flatMap { node in
        let wires = draft.topology.incoming[node].filter { draft.wires[$0].input != nil }
          .sorted { turn(of: $0, in: draft) < turn(of: $1, in: draft) }
        return live(wires, in: draft) + shared(wires, in: draft)
      }
  }

  private static func turn(of wire: Int, in draft: GraphDraft) -> Int {
    draft.wires[wire].input?.instanceNumber ?? 1
  }

  private static func port(of wire: Int, in draft: GraphDraft) -> PortReference {
    PortReference(draft.wires[wire].to.node, draft.wires[wire].input?.name ?? "")
  }

  private static func report(_ problem: FitProblem, at wire: Int, in draft: GraphDraft)
    -> Diagnostic
  {
    let port = port(of: wire, in: draft)
    return Diagnostic(
      .fit(problem), at: draft.wires[wire].to.place, node: port.node, port: port.port)
  }

  private static func live(_ wires: [Int], in draft: GraphDraft) -> [Diagnostic] {
    wires.filter { turn(of: $0, in: draft) > turn(of: wires[0], in: draft) }.compactMap { wire in
      let source = feeders(of: wire, in: draft).map(\.node).sorted().first {
        draft.nodes[$0].node?.traits.isLive == true
      }
      return source.map { source in
        let name = draft.nodes[source].name.value
        return report(.liveTurn(port(of: wire, in: draft), source: name), at: wire, in: draft)
      }
    }
  }

  private static func shared(_ wires: [Int], in draft: GraphDraft) -> [Diagnostic] {
    var known: [Feeder: Int] = [:]
    return wires.compactMap { wire in
      var problem: FitProblem?
      for feeder in feeders(of: wire, in: draft).sorted(by: { $0.node < $1.node }) {
        let first = known[feeder, default: wire]
        known[feeder] = first
        guard turn(of: first, in: draft) != turn(of: wire, in: draft) else { continue }
        problem =
          problem
          ?? .sharedTurns(
            port(of: first, in: draft), port(of: wire, in: draft),
            source: draft.nodes[feeder.node].name.value)
      }
      return problem.map { report($0, at: wire, in: draft) }
    }
  }

  /// A node that leads to an input; of a file the stream, since each has a reader of its own.
  private struct Feeder: Hashable {
    var node: Int
    var output: String?
  }

  private static func feeders(of wire: Int, in draft: GraphDraft) -> Set<Feeder> {
    var (found, pending) = (Set<Feeder>(), [wire])
    while let wire = pending.popLast() {
      let source = draft.topology.source(of: wire)
      let isFile = draft.nodes[source].node?.readsStreamsApart == true
      let feeder = Feeder(node: source, output: isFile ? draft.wires[wire].output?.name : nil)
      if found.insert(feeder).inserted { pending += draft.topology.incoming[source] }
    }
    return found
  }
}
