/// Has one piece of a graph's video encoded, and the packets written to a file.
///
/// The source reads the piece alone, and frames of others are left out where they are decoded; from there
/// on they have the times of the whole. What followed the encoders in the graph is left out.
struct CutEncoders: PlanPass {
  let name = "cut encoders"
  let piece: VideoPiece
  /// The file.
  let path: String

  /// How much earlier and later the source reads: what is shown at the first moment of a range is its
  /// first frame, which belongs to the piece before, and the last one ends with the range.
  private static let margin: Int64 = 1_000_000

  init(_ piece: VideoPiece, writing path: String) { (self.piece, self.path) = (piece, path) }

  func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let paths = try VideoCut(plan).paths
    let names = paths.map(\.encoder.name)
    var result = plan
    let needed = plan.nodes(before: names).union(names)
    result.leaveOut(Set(plan.nodes.map(\.name)).subtracting(needed))
    result.read(readRange, at: paths[0].source.node)
    for port in Set(paths.map(\.frames)).sorted(by: { "\($0)" < "\($1)" }) {
      result.insertGate(PieceGate(piece.frames, shift: shift), at: port)
    }
    let sink = EncodedPartSink(path: path, tracks: names, frames: piece.frames)
    result.nodes.append(PlanNode(EncodedPartSink.self, sink, name: "part:"))
    for (number, name) in names.enumerated() {
      guard let wire = plan.outputs(of: name).first else { continue }
      result.wires.append(
        PlanWire(
          from: wire.from, to: PortReference("part:", "in.\(number + 1)"), format: wire.format,
          lowering: .link))
    }
    return result
  }

  /// When the source begins to read, in nanoseconds; 0 for its beginning.
  private var readStart: Int64 { piece.number > 0 ? max(0, piece.start - Self.margin) : 0 }

  private var readRange: MediaTimeRange {
    let start = MediaTime(nanoseconds: readStart)
    guard let end = piece.end else {
      return MediaTimeRange(start: start, duration: .positiveInfinity)
    }
    return MediaTimeRange(
      start: start, duration: MediaTime(nanoseconds: end + Self.margin - readStart))
  }

  /// How much later frames are presented in the whole than in the range that is read.
  private var shift: Int64 { readStart > 0 ? readStart + FileStream.frameMargin : 0 }
}

extension Plan {
  /// Has a source read a range of its file.
  fileprivate mutating func read(_ range: MediaTimeRange, at name: String) {
    guard let index = nodes.firstIndex(where: { $0.name == name }),
      let part = nodes[index].node.reading(range)
    else { return }
    nodes[index].node = part
  }

  /// Puts a gate between an output and all that takes its frames.
  fileprivate mutating func insertGate(_ gate: PieceGate, at port: PortReference) {
    let node = PlanNode(PieceGate.self, gate, name: "piece:\(port)")
    guard let format = wires.first(where: { $0.from == port })?.format else { return }
    nodes.append(node)
    for index in wires.indices where wires[index].from == port {
      wires[index].from = PortReference(node.name, "out")
    }
    wires.append(
      PlanWire(from: port, to: PortReference(node.name, "in"), format: format, lowering: .link))
  }
}
