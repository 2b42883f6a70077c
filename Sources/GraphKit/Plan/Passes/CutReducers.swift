/// Has one piece of a graph's audio reduced, and the summaries written to a file.
///
/// In place of each reducer are reducers of the piece's runs, as ``SplitReducers`` has them of all
/// runs; what followed the reducers in the graph is left out.
struct CutReducers: PlanPass {
  let name = "cut reducers"
  let piece: AudioPiece
  /// The file.
  let path: String

  init(_ piece: AudioPiece, writing path: String) { (self.piece, self.path) = (piece, path) }

  func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let paths = try AudioCut(plan).paths
    let names = paths.map(\.reducer.name)
    var result = plan
    result.leaveOut(plan.nodes(after: names))
    // The first keeps the graph's own nodes; each further one has readers and decoders of its own, so
    // that nothing but it gets their audio.
    for path in paths.dropFirst() { result.copy(path) }
    let needed = result.nodes(before: names).union(names)
    result.leaveOut(Set(result.nodes.map(\.name)).subtracting(needed))
    var reducers: [PartSink.Reducer] = []
    for (number, path) in paths.enumerated() {
      reducers.append(try split(path, number, in: &result, context))
    }
    result.nodes.append(
      PlanNode(PartSink.self, PartSink(path: self.path, reducers), name: "part:"))
    return result
  }

  /// Has the piece's runs on the way to a reducer reduced, and what comes of them go to the file.
  private func split(
    _ original: ReducerPath, _ number: Int, in plan: inout Plan, _ context: PlanContext
  ) throws(PlanError) -> PartSink.Reducer {
    let path = try ReducerPath(to: original.reducer, in: plan)
    let runs = piece.runs(ofPath: number)
    let split = ReducerSplit([path], count: path.branchCount(on: context.cores), runs: runs)
    plan = split.apply(to: plan)
    plan.wires.append(
      PlanWire(
        from: PortReference(path.reducer.name, "part"),
        to: PortReference("part:", "in.\(number + 1)"), format: FormatConstraint(.any),
        lowering: .link))
    return PartSink.Reducer(name: path.reducer.name, frames: path.frames(of: runs))
  }
}

extension ReducerPath {
  /// The frames of some runs; the last piece's end is open.
  fileprivate func frames(of runs: Range<Int>) -> Range<Int> {
    let end = runs.upperBound.multipliedReportingOverflow(by: runLength)
    return runs.lowerBound * runLength..<(end.overflow ? .max : end.partialValue)
  }
}

extension Plan {
  /// Gives a path nodes of its own, from where it is cut.
  fileprivate mutating func copy(_ path: ReducerPath) {
    func name(_ node: String) -> String { "\(node):\(path.reducer.name)" }
    var names = path.between.map(\.name)
    if case .pcm(let wire, _) = path.start { names.insert(wire.from.node, at: 0) }
    for original in names {
      guard var copy = self[original] else { continue }
      (copy.name, copy.isInserted) = (name(original), true)
      nodes.append(copy)
    }
    for index in wires.indices {
      var wire = wires[index]
      let isLast = wire.to.node == path.reducer.name
      guard isLast || names.contains(wire.to.node) else { continue }
      if names.contains(wire.from.node) { wire.from.node = name(wire.from.node) }
      // The wire to the reducer moves; what others use, too, stays as it is.
      if isLast {
        wires[index] = wire
      } else {
        wire.to.node = name(wire.to.node)
        wires.append(wire)
      }
    }
  }

  /// The nodes after some nodes, however far.
  func nodes(after names: [String]) -> Set<String> {
    var (found, next): (Set<String>, [String]) = ([], names)
    while let name = next.popLast() {
      for wire in outputs(of: name) where found.insert(wire.to.node).inserted {
        next.append(wire.to.node)
      }
    }
    return found
  }

  /// Takes nodes away, and the wires to and from them.
  mutating func leaveOut(_ names: Set<String>) {
    nodes.removeAll { names.contains($0.name) }
    wires.removeAll { names.contains($0.from.node) || names.contains($0.to.node) }
  }
}
