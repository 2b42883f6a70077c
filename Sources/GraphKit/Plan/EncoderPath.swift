/// The way that video takes from a file to an encoder, where pieces of it can go there apart: each frame
/// is worked on by itself.
struct EncoderPath {
  let encoder: PlanNode
  /// The nodes between the source and the encoder, first to last.
  private(set) var between: [PlanNode] = []
  /// The output of the file.
  let source: PortReference
  /// What is known of what leaves it.
  let format: FormatConstraint
  /// The first output on the way that frames leave, decoded.
  private(set) var frames: PortReference

  /// The way to an encoder. Throws which node it is that forbids cutting.
  init(to encoder: PlanNode, in plan: Plan) throws(PlanError) {
    self.encoder = encoder
    frames = PortReference(encoder.name, "")
    var node = encoder
    while let wire = plan.inputs(of: node.name).onlyElement, let from = plan[wire.from.node] {
      if wire.format.kind == .video { frames = wire.from }
      if from.type.role == .source {
        (source, format) = (wire.from, wire.format)
        try Self.check(from, wire)
        return
      }
      guard from.worksFrameByFrame else {
        throw .cannotBeCut(node: from.name, CutObstacle(of: from, besides: .memory))
      }
      between.insert(from, at: 0)
      node = from
    }
    throw .cannotBeCut(node: node.name, .sources)
  }

  private static func check(_ source: PlanNode, _ wire: PlanWire) throws(PlanError) {
    let all = MediaTimeRange(start: .zero, duration: .positiveInfinity)
    guard let stream = source.node.fileStreams?[wire.from.port], source.node.reading(all) != nil
    else {
      throw .cannotBeCut(node: source.name, CutObstacle(of: source, besides: .wholeFile))
    }
    // Where a file doesn't say it of each frame, decoders count frames from where they begin.
    guard stream.canSeek || stream.isReordered else {
      throw .cannotBeCut(node: source.name, .times)
    }
  }
}

extension PlanNode {
  /// Whether what leaves it for a frame depends on that frame alone. A decoder is moved to where its
  /// frames begin.
  fileprivate var worksFrameByFrame: Bool {
    node is ElidedNode || node is ColorChain || node.traits.isFramewise
      || (type.role == .decoder && node.work.elementNode != nil)
  }
}

extension CutObstacle {
  /// What keeps a node from working on pieces: that it is live, if it is.
  init(of node: PlanNode, besides other: CutObstacle) {
    self = node.node.traits.isLive ? .live : other
  }
}
