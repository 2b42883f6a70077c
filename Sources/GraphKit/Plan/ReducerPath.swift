/// The way that audio takes from where it can be cut to a reducer.
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
  /// What the reducer does.
  let reduction: any AssociativeReducerNode

  /// Audio that is shorter is not worth a second thread.
  private static let leastFrames = 1 << 20
  /// Frames of a run of PCM, where the cuts are to be the same on any number of cores.
  private static let runFrames = 1 << 16

  /// Whether reducing it on several cores is worth the threads.
  var isWorthSplitting: Bool {
    if case .pcm(_, let source) = start { source.frameCount >= Self.leastFrames } else { true }
  }

  /// How many branches reduce the runs in turn on so many cores. Of packets there are two at least: so
  /// decoders begin anew at each run on one core, too, and what they make of a run depends on its packets
  /// alone, those that are damaged included. The branches of the other runs discard what leads a run in.
  func branchCount(on cores: Int) -> Int {
    if case .packets = start { max(min(cores, 8), 2) } else { max(min(cores, 8), 1) }
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

  /// The way to a reducer; others may get the audio, too. Throws which node it is that forbids cutting.
  init(to reducer: PlanNode, in plan: Plan) throws(PlanError) {
    guard let reduction = reducer.node.work.associativeReducer else {
      throw .cannotBeCut(node: reducer.name, CutObstacle(reducer, nil))
    }
    (self.reducer, self.reduction) = (reducer, reduction)
    var node = reducer
    while let wire = plan.inputs(of: node.name).onlyElement, let from = plan[wire.from.node] {
      if let start = Self.packets(on: wire, of: from) {
        self.start = start
        return
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
