/// Has audio that is only reduced be reduced in pieces, on all cores.
///
/// Where all that becomes of a stream are reductions that may be made in pieces, and the stream can be
/// had in pieces, there are as many readers or decoders as cores, each with reducers, and the reducers'
/// own nodes put their summaries together. PCM of a file is read in as many parts, for one reducer; of
/// encoded audio runs of packets go to decoders in turn. Where a codec can't promise the same result, or
/// the source can't wait, nothing is split.
public struct SplitReducers: PlanPass {
  /// What a listing calls the pass.
  public let name = "split reducers"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    for paths in plan.pathsToSplit {
      let count = paths[0].branchCount(on: context.cores)
      guard count > 1 else { continue }
      result = ReducerSplit(paths, count: count).apply(to: result)
    }
    return result
  }
}

extension Plan {
  /// The ways to reducers whose audio goes nowhere else, those together that have one beginning.
  fileprivate var pathsToSplit: [[ReducerPath]] {
    var groups: [[ReducerPath]] = []
    for node in nodes {
      guard let path = try? ReducerPath(to: node, in: self), path.isWorthSplitting else { continue }
      if let index = groups.firstIndex(where: { $0[0].wire == path.wire }) {
        groups[index].append(path)
      } else {
        groups.append([path])
      }
    }
    return groups.filter(leadNowhereElse)
  }

  private func leadNowhereElse(_ paths: [ReducerPath]) -> Bool {
    let between = Set(paths.flatMap { $0.between.map(\.name) })
    let known = between.union(paths.map(\.reducer.name))
    // PCM is read once for all that get it.
    if case .pcm(let wire, _) = paths[0].start, outputs(of: wire.from.node).count > 1 {
      return false
    }
    return between.allSatisfy { name in
      outputs(of: name).allSatisfy { known.contains($0.to.node) }
    }
  }
}

/// The nodes and wires of split paths with one beginning, in place of those of the paths.
struct ReducerSplit {
  /// Frames of a run of PCM.
  private static let runFrames = 1 << 21

  private let paths: [ReducerPath]
  private let count: Int
  /// The runs that are reduced; `nil` for all of the stream, to what the nodes make of it.
  private let runs: Range<Int>?

  init(_ paths: [ReducerPath], count: Int, runs: Range<Int>? = nil) {
    (self.paths, self.count, self.runs) = (paths, count, runs)
  }

  func apply(to plan: Plan) -> Plan {
    guard let first = paths.first else { return plan }
    var plan = plan
    switch first.start {
    case .pcm(let wire, let pieces): splitSource(wire, pieces, first, in: &plan)
    case .packets(let wire, let codec, let leadIn, let rate):
      splitPackets(wire, codec, leadIn, rate, first, in: &plan)
    }
    for path in paths {
      let merger = path.reduction.merger(
        of: count, partFrom: runs.map { $0.lowerBound * path.runLength })
      plan.replace(path.reducer.name) { node in
        node.node = merger
        node.ports = merger.portDeclarations
      }
    }
    return plan
  }

  /// The frame after the last one that any of the reducers needs; `nil` where one needs all.
  private func endFrame(at rate: Int) -> Int? {
    var last = 0
    for path in paths {
      guard let end = path.reduction.endFrame(at: rate) else { return nil }
      last = max(last, end)
    }
    return last
  }

  private func splitSource(
    _ wire: PlanWire, _ pieces: any PiecewiseSource, _ path: ReducerPath, in plan: inout Plan
  ) {
    guard let source = plan[wire.from.node] else { return }
    let inner = takeInnerWires(behind: wire, of: &plan)
    let rate = wire.format.sampleRates.onlyElement
    let total = min(pieces.frameCount, rate.flatMap(endFrame) ?? .max)
    // Runs by turns, so that what the parts make of them can be put together while they go on.
    let length =
      runs == nil ? max(1, min(Self.runFrames, (total + count - 1) / count)) : path.runLength
    for number in 1...count {
      var part = source
      part.node = pieces.piece(
        PieceShare(length: length, index: number - 1, count: count, runs: runs ?? 0..<Int.max),
        until: total)
      if number == 1 {
        plan.replace(source.name) { $0 = part }
      } else {
        part.name = "\(source.name):\(number)"
        part.isInserted = true
        plan.nodes.append(part)
      }
      var wire = wire
      (wire.from.node, wire.lowering) = (part.name, .link)
      branch(wire, inner, number, share: .whole, in: &plan)
    }
  }

  private func splitPackets(
    _ wire: PlanWire, _ codec: Codec, _ leadIn: LeadIn, _ rate: Int, _ path: ReducerPath,
    in plan: inout Plan
  ) {
    let inner = takeInnerWires(behind: wire, of: &plan)
    let (length, runs) = (path.runLength, runs ?? 0..<Int.max)
    let end = runs.upperBound.multipliedReportingOverflow(by: length)
    let splitter = PacketSplitter(
      codec, length: length, count: count,
      end: [endFrame(at: rate), end.overflow ? nil : end.partialValue].compactMap(\.self)
        .min(), runs: runs)
    let node = PlanNode(PacketSplitter.self, splitter, name: "split:\(path.reducer.name)")
    plan.nodes.append(node)
    var entry = wire
    entry.to = PortReference(node.name, "in")
    plan.wires.append(entry)
    for number in 1...count {
      let share = PieceShare(length: length, index: number - 1, count: count, runs: runs)
      var wire = wire
      wire.from = PortReference(node.name, "out.\(number)")
      wire.lowering = .queue(.runs(of: leadIn.runSeconds, for: count))
      branch(wire, inner, number, share: share, in: &plan)
    }
  }

  /// Takes away a wire and those after it on the paths; returns the latter.
  private func takeInnerWires(behind wire: PlanWire, of plan: inout Plan) -> [PlanWire] {
    let names = Set(between.map(\.name))
    let inner = plan.wires.filter { names.contains($0.from.node) }
    plan.wires.removeAll { names.contains($0.from.node) || $0 == wire }
    return inner
  }

  /// The nodes between the beginning and the reducers, each once.
  private var between: [PlanNode] {
    var names: Set<String> = []
    return paths.flatMap(\.between).filter { names.insert($0.name).inserted }
  }

  /// Whatever decodes and converts after a wire, and a reducer at each end.
  private func branch(
    _ first: PlanWire, _ inner: [PlanWire], _ number: Int, share: PieceShare, in plan: inout Plan
  ) {
    func name(_ node: String) -> String { number == 1 ? node : "\(node):\(number)" }
    for node in between where number > 1 {
      var copy = node
      copy.name = name(node.name)
      copy.isInserted = true
      plan.nodes.append(copy)
    }
    for wire in [first] + inner {
      var wire = wire
      if wire.from != first.from { wire.from.node = name(wire.from.node) }
      if let path = paths.first(where: { $0.reducer.name == wire.to.node }) {
        reduce(wire, path, number, share: share, in: &plan)
      } else {
        wire.to.node = name(wire.to.node)
        plan.wires.append(wire)
      }
    }
  }

  /// A reducer of pieces at the end of a wire, and its own wire to the node that merges them.
  private func reduce(
    _ wire: PlanWire, _ path: ReducerPath, _ number: Int, share: PieceShare, in plan: inout Plan
  ) {
    let piece = path.reduction.piece(of: share)
    var (node, entry) = (path.reducer, wire)
    node.name = "\(node.name):\(number)"
    node.node = piece
    node.ports = piece.portDeclarations
    node.parameters = [:]
    node.isInserted = true
    plan.nodes.append(node)
    entry.to = PortReference(node.name, "in")
    plan.wires.append(entry)
    plan.wires.append(
      PlanWire(
        from: PortReference(node.name, "out"),
        to: PortReference(path.reducer.name, "in.\(number)"), format: FormatConstraint(.any),
        lowering: .link))
  }
}

extension QueuePolicy {
  /// Room for two runs of packets and what comes before them, so that no decoder waits while
  /// another one is given its run. Those of the other decoders lie between the two.
  fileprivate static func runs(of seconds: Int, for count: Int) -> QueuePolicy {
    let time = MediaTime(value: Int64((count + 1) * seconds), timescale: 1)
    var policy = QueuePolicy(
      time: time, bytes: 16 << 20, samples: 100_000, interleavingWindow: time)
    policy.refillsLate = true
    return policy
  }
}

extension Plan {
  fileprivate mutating func replace(_ name: String, _ change: (inout PlanNode) -> Void) {
    guard let index = nodes.firstIndex(where: { $0.name == name }) else { return }
    change(&nodes[index])
  }
}
