/// A file whose samples are copied into another as they are, in pieces: the streams of one source, all
/// into one sink, which has no other inputs.
struct PieceRoute: Sendable {
  let source: String
  /// The wires, in the order of the sink's tracks.
  let wires: [PlanWire]
  let reader: any PieceReader
  /// How much of the media is copied at once, in nanoseconds.
  let duration: Int64
}

extension Blueprint {
  /// How the samples of a source get into the file that a sink writes, where that is in pieces.
  func findRoute(from source: String) -> PieceRoute? {
    guard let element = plan[source]?.node.work.elementNode,
      let (wires, duration) = wiresOfPieces(from: source)
    else { return nil }
    return element.pieces(of: wires.map(\.from.port)).map {
      PieceRoute(source: source, wires: wires, reader: $0, duration: duration)
    }
  }

  /// The wires of a source to the one sink whose file takes what they carry in pieces, where the source's
  /// file has it so; and how long those are.
  func wiresOfPieces(from source: String) -> (wires: [PlanWire], duration: Int64)? {
    let outputs = plan.outputs(of: source)
    guard let sink = outputs.first?.to.node, let chain = chain(of: sink),
      let output = chain.output, let duration = output.pieceDuration
    else { return nil }
    let wires = plan.inputs(of: sink)
    guard wires.count == outputs.count, Set(wires.map(\.from)).count == wires.count,
      wires.allSatisfy({ wire in
        wire.from.node == source && delivery(on: wire, among: wires) == .direct
          && output.padFilters(for: wire.format, OutputTrack()).isEmpty
          && chain.entry(of: wire.to.port, in: chain.inputElements)?.allSatisfy(\.isParser) ?? true
      })
    else { return nil }
    return (wires, duration)
  }

  /// Whether a wire's samples are copied in pieces.
  func isRoute(_ wire: PlanWire) -> Bool { routes[wire.from.node] != nil }
}
