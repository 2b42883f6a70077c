/// How the threads of a run spent its active time.
extension PipelineStorage {
  /// The stages, in the order of the plan, by what wires know of waits. Left out are those that lead
  /// into an element with several inputs, which waits inside, and those for previews.
  func stageReports(until now: Duration) -> [StageReport] {
    var times: [String: WireTimes] = [:]
    for group in lowered.groups {
      for (name, known) in group.times(at: now) { times[name] = known }
    }
    return sourceReports(times, now) + queueReports(times, now)
  }

  /// The sources that don't wait for what follows them.
  var liveSources: [String] {
    plan.nodes.filter { $0.node.traits.isLive && plan.inputs(of: $0.name).isEmpty }.map(\.name)
  }

  /// What reads, or makes, each output of a source that waits.
  private func sourceReports(_ times: [String: WireTimes], _ now: Duration) -> [StageReport] {
    plan.nodes.flatMap { node -> [StageReport] in
      guard plan.inputs(of: node.name).isEmpty, node.node.work.entryNode == nil,
        !node.node.traits.isLive
      else { return [] }
      let ports = Dictionary(grouping: plan.outputs(of: node.name), by: \.from)
      return ports.sorted { $0.key.port < $1.key.port }.map { _, wires in
        let (nodes, leaving) = stage(from: node.name, wires)
        let end = end(ofSource: node.name, wires, times) ?? now
        return report(nodes, idle: nil, leaving, times, end)
      }
    }
  }

  /// When a source had given all that it has; `nil` where it isn't known to have.
  private func end(ofSource name: String, _ wires: [PlanWire], _ times: [String: WireTimes])
    -> Duration?
  {
    if let loop = lowered.loops.first(where: { $0.loop.name == name }) { return loop.loop.end }
    let known = context.log.active.ends
    let ends = wires.compactMap { times[$0.name]?.end ?? known[$0.name] }
    return ends.count == wires.count ? ends.max() : nil
  }

  /// What takes samples from a wire.
  private func queueReports(_ times: [String: WireTimes], _ now: Duration) -> [StageReport] {
    let threads = lowered.groups.filter { group in
      group.wires.count == 1 && group.wires.allSatisfy { $0.delivery != .direct && !$0.isAside }
        && plan[group.wires[0].to.node]?.isExit == false
    }
    return threads.compactMap { group in
      let wire = group.wires[0]
      guard let known = times[wire.name] else { return nil }
      let (nodes, leaving) = stage(from: wire.to.node, plan.outputs(of: wire.to.node))
      return report(nodes, idle: known.idle, leaving, times, now)
    }
  }

  /// The nodes of a stage, in the order of the plan, and the queues that it leads to.
  private func stage(from first: String, _ leaving: [PlanWire]) -> ([String], queues: [String]) {
    var (nodes, pending, queues) = ([first], leaving, [String]())
    while let wire = pending.popLast() {
      if case .queue = wire.lowering {
        queues.append(wire.name)
      } else if !nodes.contains(wire.to.node) {
        nodes.append(wire.to.node)
        pending += plan.outputs(of: wire.to.node)
      }
    }
    return (plan.nodes.map(\.name).filter(nodes.contains), queues)
  }

  /// - Parameter end: when the stage had done its work, or now.
  private func report(
    _ nodes: [String], idle: Duration?, _ leaving: [String], _ times: [String: WireTimes],
    _ end: Duration
  ) -> StageReport {
    let blocked = leaving.reduce(Duration.zero) { $0 + (times[$1]?.roomWait ?? .zero) }
    let busy = max(.zero, end - (idle ?? .zero) - blocked)
    return StageReport(
      nodes: nodes, waitedForInput: idle.map { ($0 / .seconds(1)).rounded(to: 3) },
      waitedForRoom: (blocked / .seconds(1)).rounded(to: 3),
      busy: (busy / .seconds(1)).rounded(to: 3))
  }
}
