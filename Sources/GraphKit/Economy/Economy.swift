/// Has a live graph that can't keep up give up quality, in the order of its plan's steps, and get it
/// back when there is room. On the thread that controls the run.
struct Economy {
  /// A step that is taken, with the values that parameters had before.
  private struct Taken {
    let step: PlanStep
    var values: [(parameter: String, old: JSONValue, new: JSONValue)] = []
  }

  private let steps: [PlanStep]
  private let lowered: Lowered
  private let log: RunLog
  private var wires: LiveWires
  private var judge: EconomyJudge
  private var taken: [Taken] = []

  init(_ plan: Plan, _ lowered: Lowered, log: RunLog, rule: EconomyRule) {
    (steps, self.lowered, self.log) = (plan.steps, lowered, log)
    wires = LiveWires(plan, steps.isEmpty ? [] : lowered.groups)
    judge = EconomyJudge(steps: steps.count, rule: rule)
  }

  /// Looks whether the graph keeps up, and does what follows; to be called many times a second.
  mutating func look() {
    guard !steps.isEmpty, let observation = wires.observe() else { return }
    switch judge.observe(observation) {
    case nil: break
    case .take(let cause): take(steps[taken.count], at: observation.time, cause)
    case .takeBack(let rest): takeBack(at: observation.time, after: rest)
    }
  }

  private mutating func take(_ step: PlanStep, at time: Double, _ cause: String) {
    var entry = Taken(step: step)
    // What is taken is said first, then what changes by it.
    log.economized(
      EconomyChange(step: step.description, isTaken: true, position: time, cause: cause))
    if case .set(let node, let values) = step.action { entry.values = set(values, of: node) }
    taken.append(entry)
    thin()
  }

  private mutating func takeBack(at time: Double, after rest: Double) {
    guard let entry = taken.popLast() else { return }
    log.economized(
      EconomyChange(
        step: entry.step.description, isTaken: false, position: time,
        cause: "there was room for \(rest.rounded(to: 1)) s"))
    if case .set(let node, _) = entry.step.action { putBack(entry.values, of: node) }
    thin()
  }

  // MARK: Parameters

  /// Sets what is another value than it has; returns what was set.
  private func set(_ values: [String: JSONValue], of node: String) -> [(
    parameter: String, old: JSONValue, new: JSONValue
  )] {
    guard let changes = lowered.changes[node] else { return [] }
    let present = changes.requested
    let moved = values.sorted { $0.key < $1.key }.compactMap { name, value in
      changes.type.parameters.first { $0.name == name }.map { $0.read(present) ?? .null }
        .flatMap { $0 == value ? nil : (parameter: name, old: $0, new: value) }
    }
    return add(moved.map { ($0.parameter, $0.new) }, to: changes) ? moved : []
  }

  /// Puts values back, but for those that somebody has changed since.
  private func putBack(
    _ values: [(parameter: String, old: JSONValue, new: JSONValue)], of node: String
  ) {
    guard let changes = lowered.changes[node] else { return }
    let present = changes.requested
    let kept = values.filter { value in
      changes.type.parameters.first { $0.name == value.parameter }?.read(present) == value.new
    }
    _ = add(kept.map { ($0.parameter, $0.old) }, to: changes)
  }

  private func add(_ values: [LiveChanges.Value], to changes: LiveChanges) -> Bool {
    guard !values.isEmpty else { return true }
    do throws(NodeError) {
      try changes.add(values, at: nil)
      return true
    } catch {
      // Others may have changed what the values have to go with.
      log.send(.warning(node: changes.node, message: "\(error.message); \(error.remedy)"))
      return false
    }
  }

  // MARK: Frames

  /// Leaves out the frames that all steps together leave out.
  private func thin() {
    var (paused, shares) = (Set<String>(), [String: Int]())
    for entry in taken {
      switch entry.step.action {
      case .pause(let nodes): paused.formUnion(nodes)
      case .keepEvery(let share, let nodes):
        for node in nodes { shares[node] = max(shares[node] ?? 1, share) }
      case .set: break
      }
    }
    for (stream, thinner) in lowered.thinners {
      switch stream {
      case .source(let node): thinner.keepOne(in: shares[node] ?? 1)
      case .previews(let nodes): thinner.keepOne(in: nodes.isSubset(of: paused) ? 0 : 1)
      }
    }
  }
}
