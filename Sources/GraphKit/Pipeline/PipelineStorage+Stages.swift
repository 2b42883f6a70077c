/// How the threads of a run spent their time.
extension PipelineStorage {
  /// The stages, in the order of the plan, by what wires know of waits. Left out are those that lead
  /// into an element with several inputs, which waits inside of it, and those for previews.
  func stageReports(_ ledgers: [String: WireLedger], seconds: Double) -> [StageReport] {
    sourceReports(ledgers, seconds) + queueReports(ledgers, seconds)
  }

  /// The sources that wait for nobody.
  var liveSources: [String] {
    plan.nodes.filter { $0.node.traits.isLive && plan.inputs(of: $0.name).isEmpty }.map(\.name)
  }

  /// What reads, or makes, each output of a source that waits.
  private func sourceReports(_ ledgers: [String: WireLedger], _ seconds: Double) -> [StageReport] {
    plan.nodes.flatMap { node -> [StageReport] in
      guard plan.inputs(of: node.name).isEmpty, node.node.work.entryNode == nil,
        !node.node.traits.isLive
      else { return [] }
      let ports = Dictionary(grouping: plan.outputs(of: node.name), by: \.from)
      return ports.sorted { $0.key.port < $1.key.port }.map { _, wires in
        report([node.name], leaving: wires, nil, ledgers, seconds)
      }
    }
  }

  /// What takes samples from a wire.
  private func queueReports(_ ledgers: [String: WireLedger], _ seconds: Double) -> [StageReport] {
    let threads = lowered.groups.filter { group in
      group.wires.count == 1 && group.wires.allSatisfy { $0.delivery != .direct && !$0.isAside }
        && plan[group.wires[0].to.node]?.isExit == false
    }
    return threads.compactMap { group in
      let wire = group.wires[0]
      guard let ledger = ledgers[wire.name] else { return nil }
      return report(
        [wire.to.node], leaving: plan.outputs(of: wire.to.node), ledger.idleSeconds, ledgers,
        seconds)
    }
  }

  /// Follows the wires up to the next queues.
  private func report(
    _ first: [String], leaving: [PlanWire], _ idle: Double?, _ ledgers: [String: WireLedger],
    _ seconds: Double
  ) -> StageReport {
    var (nodes, pending, room) = (first, leaving, 0.0)
    while let wire = pending.popLast() {
      if case .queue = wire.lowering {
        room += ledgers[wire.name]?.waitedSeconds ?? 0
      } else if !nodes.contains(wire.to.node) {
        nodes.append(wire.to.node)
        pending += plan.outputs(of: wire.to.node)
      }
    }
    let order = plan.nodes.map(\.name).filter(nodes.contains)
    return StageReport(
      nodes: order, waitedForInput: idle.map { $0.rounded(to: 3) },
      waitedForRoom: room.rounded(to: 3),
      busy: max(0, seconds - (idle ?? 0) - room).rounded(to: 3))
  }
}
