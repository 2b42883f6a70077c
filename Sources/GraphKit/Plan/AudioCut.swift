/// One of the pieces into which a graph's audio is cut. It is written down where it is planned: how long
/// the audio is may be an estimate, and all pieces must be cut by the same one.
package struct AudioPiece: Hashable, Sendable {
  /// The piece, counted from 0, and how many there are.
  package var number: Int
  package var count: Int
  /// How many runs the stream has on the way to each of the graph's reducers, more or less.
  package var runs: [Int]

  package init(number: Int, count: Int, runs: [Int]) {
    (self.number, self.count, self.runs) = (number, count, runs)
  }

  /// The runs that the piece has on one of the ways: the last piece has all that follow.
  func runs(ofPath path: Int) -> Range<Int> {
    let all = runs.indices.contains(path) ? runs[path] : 1
    let start = all * number / count
    return start..<(number + 1 < count ? all * (number + 1) / count : .max)
  }
}

/// Where a graph's audio is cut, so that several machines reduce a piece of it each: at runs that the
/// stream alone fixes, whatever machine plans it.
struct AudioCut {
  /// The way to each reducer.
  let paths: [ReducerPath]

  /// Looks at a plan whose converters are inserted. Throws which node it is that forbids cutting.
  init(_ plan: Plan) throws(PlanError) {
    var paths: [ReducerPath] = []
    for node in plan.nodes where node.node.work.associativeReducer != nil {
      let path = try ReducerPath(to: node, in: plan)
      if let other = path.between.first(where: { $0.type.role == .converter && !$0.isInserted }) {
        // The filter of another rate reaches back.
        throw .cannotBeCut(node: other.name, .memory)
      }
      paths.append(path)
    }
    self.paths = paths
    try refuseOthers(in: plan)
  }

  /// The pieces of about so many, none of which is shorter than a run. Throws where nothing says how
  /// long the audio is.
  func pieces(_ wanted: Int, in plan: Plan) throws(PlanError) -> [AudioPiece] {
    var runs: [Int] = []
    for path in paths { runs.append(try path.runCount(in: plan)) }
    let count = max(1, min(wanted, runs.min() ?? 1))
    return (0..<count).map { AudioPiece(number: $0, count: count, runs: runs) }
  }

  /// Where a piece begins, in seconds of the audio.
  func start(of piece: AudioPiece) -> Double {
    guard let path = paths.first, let rate = path.sampleRate else { return 0 }
    return Double(piece.runs(ofPath: 0).lowerBound * path.runLength) / Double(rate)
  }

  /// Throws the first node that neither leads to a reducer nor follows one.
  private func refuseOthers(in plan: Plan) throws(PlanError) {
    let topology = try plan.topology()
    let reducers = Set(paths.map(\.reducer.name))
    var (leading, following) = (reducers, reducers)
    for index in topology.order {
      let node = plan.nodes[index].name
      if plan.inputs(of: node).contains(where: { following.contains($0.from.node) }) {
        following.insert(node)
      }
    }
    for index in topology.order.reversed() {
      let node = plan.nodes[index].name
      if plan.outputs(of: node).contains(where: { leading.contains($0.to.node) }) {
        leading.insert(node)
      }
    }
    let others = topology.order.map { plan.nodes[$0] }.filter {
      !leading.contains($0.name) && !following.contains($0.name)
    }
    // A graph's own effect says more than what a pass has put before it.
    let first = others.first { !$0.isInserted && ![.source, .decoder].contains($0.type.role) }
    if let other = first ?? others.first {
      throw .cannotBeCut(node: other.name, CutObstacle(other, nil))
    }
  }
}

extension ReducerPath {
  /// Frames a second of what is cut.
  var sampleRate: Int? {
    switch start {
    case .pcm(let wire, _): wire.format.sampleRates.onlyElement
    case .packets(_, _, _, let rate): rate
    }
  }

  /// The runs of the stream, more or less, as far as its reducer needs it.
  fileprivate func runCount(in plan: Plan) throws(PlanError) -> Int {
    guard let rate = sampleRate, let frames = frameCount(at: rate, in: plan) else {
      throw .cannotBeCut(node: wire.from.node, .length)
    }
    let needed = reduction.endFrame(at: rate) ?? .max
    return max(1, (min(frames, needed) + runLength - 1) / runLength)
  }

  private func frameCount(at rate: Int, in plan: Plan) -> Int? {
    switch start {
    case .pcm(_, let source): return source.frameCount
    case .packets(let wire, _, _, _):
      let (node, port) = (plan[wire.from.node]?.node, wire.from.port)
      let duration = node?.countedDuration(of: port) ?? node?.fileStreams?[port]?.duration
      return duration.map { $0.frames(at: rate) }
    }
  }
}
