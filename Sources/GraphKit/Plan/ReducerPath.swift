/// The way that audio takes from where it can be cut to a reducer, and from nowhere to anyone else.
struct ReducerPath {
  /// Where the audio can be cut.
  enum Start {
    case pcm(PlanWire, any PiecewiseSource)
    /// The wire that packets of a codec come on, and their sampling rate.
    case packets(PlanWire, Codec, LeadIn, rate: Int)
  }

  let start: Start
  /// The nodes between, first to last.
  private(set) var between: [PlanNode] = []
  let reducer: PlanNode

  /// Audio that is shorter is not worth a second thread.
  private static let leastFrames = 1 << 20
  /// Frames of a run of PCM, where the cuts are to be the same on any number of cores.
  private static let runFrames = 1 << 16

  /// Whether a decoder begins anew at each run, so that the audio hangs on the runs.
  var hasRestarts: Bool {
    if case .packets(_, _, let leadIn, _) = start { leadIn.restarts } else { false }
  }

  /// Whether reducing it on several cores is worth the threads.
  var isWorthSplitting: Bool {
    if case .pcm(_, let source) = start { source.frameCount >= Self.leastFrames } else { true }
  }

  /// How many branches reduce the runs in turn on so many cores.
  func branchCount(on cores: Int) -> Int {
    // The branches of the other runs discard the packets that lead a run in.
    max(min(cores, 8), hasRestarts ? 2 : 1)
  }

  /// The frames of a run.
  var runLength: Int {
    switch start {
    case .pcm: Self.runFrames
    case .packets(_, let codec, let leadIn, let rate): codec.runLength(leadIn, at: rate)
    }
  }

  /// The wire at which the audio is cut.
  var wire: PlanWire {
    switch start {
    case .pcm(let wire, _), .packets(let wire, _, _, _): wire
    }
  }

  /// The way to a reducer. Throws which node it is that forbids cutting.
  /// - Parameter isShared: whether others may get the audio, too: each reducer then has readers and
  ///   decoders of its own.
  init(
    to reducer: PlanNode, in plan: Plan, isShared: Bool = false
  ) throws(PlanError) {
    self.reducer = reducer
    var node = reducer
    while let wire = plan.inputs(of: node.name).onlyElement, let from = plan[wire.from.node] {
      if let start = Self.packets(on: wire, of: from) {
        self.start = start
        return
      }
      guard isShared || plan.outputs(of: from.name).count == 1 else {
        throw .cannotBeCut(node: from.name, .shared)
      }
      if let source = from.node.work.piecewiseSource {
        try Self.checkPCM(passes: between)
        start = .pcm(wire, source)
        return
      }
      guard from.node is ElidedNode || from.isElementOfSound else {
        throw .cannotBeCut(node: from.name, CutObstacle(from, wire))
      }
      between.insert(from, at: 0)
      node = from
    }
    throw .cannotBeCut(node: node.name, CutObstacle(node, nil))
  }

  /// What converts PCM may need what is before a piece; what hands it on doesn't.
  private static func checkPCM(passes nodes: [PlanNode]) throws(PlanError) {
    guard let other = nodes.first(where: { !($0.node is ElidedNode) }) else { return }
    throw .cannotBeCut(node: other.name, .memory)
  }

  /// The packets of a wire, where each piece of them can be decoded by itself.
  private static func packets(on wire: PlanWire, of from: PlanNode) -> Start? {
    guard let codec = wire.format.codecs.onlyElement, let leadIn = wire.format.leadIn,
      let rate = wire.format.sampleRates.onlyElement, !from.node.traits.isLive,
      !from.delays(wire.from.port)
    else { return nil }
    return .packets(wire, codec, leadIn, rate: rate)
  }
}

extension PlanNode {
  /// Whether it is an element that decodes or converts.
  fileprivate var isElementOfSound: Bool {
    (type.role == .decoder || type.role == .converter) && node.work.elementNode != nil
  }

  /// Whether an output's stream begins later than its file, or is read from within: pieces of it
  /// can't tell by how much.
  fileprivate func delays(_ port: String) -> Bool {
    guard let stream = node.fileStreams?[port] else { return false }
    return stream.range != nil || stream.edit.map { $0.delay > .zero } ?? false
  }
}

extension Array {
  /// The element of an array of one.
  var onlyElement: Element? { count == 1 ? self[0] : nil }
}
