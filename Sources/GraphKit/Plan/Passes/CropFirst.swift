/// Has frames cropped before their colours are changed, so that no colour of a removed pixel is
/// computed.
///
/// The rule: a crop changes places with the point effect before it where one wire leads from the
/// one to the other and nowhere else. What comes out is the same; but for sizes that are or may be
/// odd in layouts where pixels share their chroma, where the order stays.
public struct CropFirst: PlanPass {
  /// What a listing calls the pass.
  public let name = "crop first"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    guard plan.nodes.contains(where: { $0.node.traits.crop != nil }) else { return plan }
    let topology = try plan.topology()
    var result = plan
    for run in topology.cropRuns(of: plan) { result.putCropsFirst(in: run, topology) }
    return result
  }
}

extension Topology {
  /// Rows of point effects and of crops that may come before them, as their numbers: each node's one
  /// input is fed by the one output of the node before it.
  fileprivate func cropRuns(of plan: Plan) -> [[Int]] {
    var runs: [[Int]] = []
    var runOf: [Int: Int] = [:]
    for number in order where mayStandInRun(plan, number) {
      let before = source(of: incoming[number][0])
      if let run = runOf[before], outgoing[before].count == 1 {
        runs[run].append(number)
        runOf[number] = run
      } else {
        runOf[number] = runs.count
        runs.append([number])
      }
    }
    return runs
  }

  private func mayStandInRun(_ plan: Plan, _ number: Int) -> Bool {
    let node = plan.nodes[number].node
    guard incoming[number].count == 1 else { return false }
    return node.work.pointEffect != nil || node.traits.crop != nil && keepsChroma(plan, number)
  }

  /// Whether a crop makes the same of what is done before it and after it.
  private func keepsChroma(_ plan: Plan, _ crop: Int) -> Bool {
    outgoing[crop].map { plan.wires[$0].format }.allSatisfy { format in
      let sharesChroma = format.pixelFormats.first.map { $0 == .i420 || $0 == .nv12 } ?? true
      guard let width = format.width, let height = format.height else {
        return !sharesChroma || plan.nodes[crop].node.traits.crop == .evenSize
      }
      return !sharesChroma || (width % 2 == 0 && height % 2 == 0)
    }
  }
}

extension Plan {
  /// Has the crops of a run come first, in their order, and then the effects in theirs.
  fileprivate mutating func putCropsFirst(in run: [Int], _ topology: Topology) {
    let old = self
    let isCrop = { (number: Int) in old.nodes[number].node.traits.crop != nil }
    guard let last = run.lastIndex(where: isCrop), let end = run.last else { return }
    let order = run.filter(isCrop) + run.filter { !isCrop($0) }
    let entering = run.map { topology.incoming[$0][0] }
    let leaving = topology.outgoing[end]
    let format = { (position: Int) -> FormatConstraint in
      let wire = position + 1 < run.count ? entering[position + 1] : leaving.first
      return old.wires[wire ?? entering[position]].format
    }
    let passed = Set(run[..<last].filter { !isCrop($0) })
    let formats = Dictionary(
      uniqueKeysWithValues: run.indices.map {
        (run[$0], format(passed.contains(run[$0]) ? last : $0))
      })
    for (position, number) in order.enumerated() {
      wires[entering[position]].to = old.wires[topology.incoming[number][0]].to
      guard position > 0 else { continue }
      wires[entering[position]].from = topology.output(of: old, order[position - 1])
      wires[entering[position]].format = formats[order[position - 1]] ?? FormatConstraint(.video)
    }
    guard let first = order.last, first != end else { return }
    for wire in leaving { wires[wire].from = topology.output(of: old, first) }
  }
}

extension Topology {
  /// The output that a node's wires leave.
  fileprivate func output(of plan: Plan, _ number: Int) -> PortReference {
    let node = plan.nodes[number]
    if let wire = outgoing[number].first { return plan.wires[wire].from }
    return PortReference(node.name, node.ports.first { $0.direction == .output }?.name ?? "out")
  }
}
