/// Has audio that is only reduced be reduced in pieces, on all cores.
///
/// Where all that becomes of a stream is one reduction that may be made in pieces, and the stream
/// can be had in pieces, there are as many readers or decoders as cores, each with a reducer, and
/// the reducer's own node puts their summaries together. PCM of a file is read in as many parts; of
/// encoded audio runs of packets go to decoders in turn. Where a codec can't promise the same
/// result, or the source can't wait, nothing is split.
public struct SplitReducers: PlanPass {
  /// What a listing calls the pass.
  public let name = "split reducers"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    for node in plan.nodes {
      guard let reducer = node.node.work.associativeReducer,
        let path = try? ReducerPath(to: node, in: result), path.isWorthSplitting
      else { continue }
      let count = path.branchCount(on: context.cores)
      guard count > 1 else { continue }
      let split = ReducerSplit(path, reducer, count: count)
      result = split.apply(to: result)
    }
    return result
  }
}

/// The nodes and wires of a split path, in place of those of the path.
struct ReducerSplit {
  /// Frames of a run of PCM.
  private static let runFrames = 1 << 21

  private let path: ReducerPath
  private let reducer: any AssociativeReducerNode
  private let count: Int
  /// The runs of the path that are reduced; `nil` for all of the stream, to what the node makes of it.
  private let runs: Range<Int>?

  init(
    _ path: ReducerPath, _ reducer: any AssociativeReducerNode, count: Int,
    runs: Range<Int>? = nil
  ) {
    (self.path, self.reducer, self.count, self.runs) = (path, reducer, count, runs)
  }

  func apply(to plan: Plan) -> Plan {
    var plan = plan
    switch path.start {
    case .pcm(let wire, let pieces): splitSource(wire, pieces, in: &plan)
    case .packets(let wire, let codec, let leadIn, let rate):
      splitPackets(wire, codec, leadIn, rate, in: &plan)
    }
    let merger = reducer.merger(
      of: count, partFrom: runs.map { $0.lowerBound * path.runLength })
    plan.replace(path.reducer.name) { node in
      node.node = merger
      node.ports = merger.portDeclarations
    }
    return plan
  }

  private func splitSource(
    _ wire: PlanWire, _ pieces: any PiecewiseSource, in plan: inout Plan
  ) {
    guard let source = plan[wire.from.node] else { return }
    let inner = takeInnerWires(behind: wire, of: &plan)
    let rate = wire.format.sampleRates.onlyElement
    let total = min(pieces.frameCount, rate.flatMap(reducer.endFrame) ?? .max)
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
    _ wire: PlanWire, _ codec: Codec, _ leadIn: LeadIn, _ rate: Int, in plan: inout Plan
  ) {
    let inner = takeInnerWires(behind: wire, of: &plan)
    let (length, runs) = (path.runLength, runs ?? 0..<Int.max)
    let end = runs.upperBound.multipliedReportingOverflow(by: length)
    let splitter = PacketSplitter(
      codec, length: length, count: count,
      end: [reducer.endFrame(at: rate), end.overflow ? nil : end.partialValue].compactMap(\.self)
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

  /// Takes away a wire and those after it on the path; returns the latter.
  private func takeInnerWires(behind wire: PlanWire, of plan: inout Plan) -> [PlanWire] {
    let names = Set(path.between.map(\.name))
    let inner = plan.wires.filter { names.contains($0.from.node) }
    plan.wires.removeAll { names.contains($0.from.node) || $0 == wire }
    return inner
  }

  /// Whatever decodes and converts after a wire, and one reducer.
  private func branch(
    _ wire: PlanWire, _ inner: [PlanWire], _ number: Int, share: PieceShare, in plan: inout Plan
  ) {
    func name(_ node: String) -> String { number == 1 ? node : "\(node):\(number)" }
    for node in path.between where number > 1 {
      var copy = node
      copy.name = name(node.name)
      copy.isInserted = true
      plan.nodes.append(copy)
    }
    let first = wire
    for wire in [first] + inner {
      let isFirst = wire.from == first.from
      let from = PortReference(
        isFirst ? wire.from.node : name(wire.from.node), wire.from.port)
      guard wire.to.node != path.reducer.name else {
        reduce(from, number, share: share, wire: wire, in: &plan)
        continue
      }
      let to = PortReference(name(wire.to.node), wire.to.port)
      plan.wires.append(
        PlanWire(from: from, to: to, format: wire.format, lowering: wire.lowering))
    }
  }

  /// A reducer of pieces, and its wire to the node that merges them.
  private func reduce(
    _ output: PortReference, _ number: Int, share: PieceShare, wire: PlanWire,
    in plan: inout Plan
  ) {
    let piece = reducer.piece(of: share)
    var node = path.reducer
    node.name = "\(node.name):\(number)"
    node.node = piece
    node.ports = piece.portDeclarations
    node.parameters = [:]
    node.isInserted = true
    plan.nodes.append(node)
    plan.wires.append(
      PlanWire(
        from: output, to: PortReference(node.name, "in"), format: wire.format,
        lowering: wire.lowering))
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
