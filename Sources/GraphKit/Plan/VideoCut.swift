/// Where the video of a graph is cut that is encoded, so that several machines encode a piece of it each.
/// All else, sound above all, is done once, where the pieces are put together.
struct VideoCut {
  /// The way to each encoder.
  let paths: [EncoderPath]

  /// How long a frame is presented, in seconds, where nothing says.
  private static let usualFrame = 1.0 / 30
  /// Groups of several encoders begin together at no more than so many frames.
  private static let mostFrames = 100_000

  /// Looks at a plan whose converters are inserted. Throws which node it is that forbids cutting.
  init(_ plan: Plan) throws(PlanError) {
    var paths: [EncoderPath] = []
    for encoder in plan.videoEncoders {
      guard encoder.node.traits.groupLength != nil else {
        throw .cannotBeCut(node: encoder.name, .encoder)
      }
      try Self.checkSinks(of: encoder, in: plan)
      paths.append(try EncoderPath(to: encoder, in: plan))
    }
    self.paths = paths
    if let first = paths.first, let other = paths.first(where: { $0.source != first.source }) {
      throw .cannotBeCut(node: other.source.node, .sources)
    }
    try refuseOthers(in: plan)
  }

  /// What an encoder makes has to go into files that are written in one go.
  private static func checkSinks(of encoder: PlanNode, in plan: Plan) throws(PlanError) {
    for wire in plan.outputs(of: encoder.name) {
      guard let sink = plan[wire.to.node] else { continue }
      guard sink.type.role == .sink, sink.node.traits.copiesRanges else {
        throw .cannotBeCut(node: sink.name, CutObstacle(of: sink, besides: .sink))
      }
    }
  }

  /// Throws the first node that takes frames on their way to the encoders.
  private func refuseOthers(in plan: Plan) throws(PlanError) {
    let known = Set(paths.flatMap { $0.between.map(\.name) + [$0.encoder.name] })
    for name in paths.flatMap({ $0.between.map(\.name) }) + paths.map(\.source.node) {
      for wire in plan.outputs(of: name) where !known.contains(wire.to.node) {
        // What else the file has, or a copy of its video, is taken whole.
        if name == paths.first?.source.node, wire.format.kind != .video, !plan.decodes(wire) {
          continue
        }
        throw .cannotBeCut(node: wire.to.node, .frames)
      }
    }
  }

  /// The pieces of about so many, each but the last a multiple of the encoders' groups. Throws where
  /// nothing says how long the video is.
  func pieces(_ wanted: Int, in plan: Plan) throws(PlanError) -> [VideoPiece] {
    guard let path = paths.first,
      let stream = plan[path.source.node]?.node.fileStreams?[path.source.port],
      let duration = stream.duration?.seconds, duration > 0
    else { throw .cannotBeCut(node: paths.first?.source.node ?? "", .length) }
    let rate = path.format.frameRate.flatMap { $0.numerator > 0 ? $0 : nil }
    let frame = rate.map { Double($0.denominator) / Double($0.numerator) } ?? Self.usualFrame
    let groups = max(1, Int((duration / frame / Double(groupLength)).rounded(.up)))
    let count = max(1, min(wanted, groups))
    let delay = (stream.edit?.delay.seconds ?? 0) - (stream.edit?.cutOff(frame) ?? 0)
    func start(_ number: Int) -> Int64 {
      guard number > 0 else { return 0 }
      // Between two frames of a steady rate, however their times are rounded.
      let first = Double(groups * number / count * groupLength) - 0.5
      return Int64(((delay + first * frame) * 1e9).rounded())
    }
    return (0..<count).map {
      VideoPiece(
        number: $0, count: count, start: start($0), end: $0 + 1 < count ? start($0 + 1) : nil)
    }
  }

  /// Frames after which groups of all encoders begin, counted from the first frame.
  private var groupLength: Int {
    paths.reduce(1) { length, path in
      let own = max(1, path.encoder.node.traits.groupLength ?? 1)
      var common = max(length, own)
      while common <= Self.mostFrames, common % length != 0 || common % own != 0 {
        common += max(length, own)
      }
      return common
    }
  }
}

extension StreamEdit {
  /// How much of its first frame isn't presented, in seconds, where frames are so long.
  fileprivate func cutOff(_ frame: Double) -> Double {
    guard let keyFrame else { return 0 }
    let rest = (start - keyFrame).seconds.truncatingRemainder(dividingBy: frame)
    return min(rest, frame - rest) < frame / 100 ? 0 : rest
  }
}

extension Plan {
  /// The nodes that make encoded video of frames.
  var videoEncoders: [PlanNode] {
    nodes.filter { node in
      node.type.role == .encoder && inputs(of: node.name).contains { $0.format.kind == .video }
    }
  }

  /// Whether a wire leads to a decoder of video.
  fileprivate func decodes(_ wire: PlanWire) -> Bool {
    wire.format.kind == .encodedVideo && self[wire.to.node]?.type.role != .sink
  }
}
