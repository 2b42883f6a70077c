import GStreamer
import GraphKitSystem

/// What the run loop looks at.
extension PipelineStorage {
  /// The node of an element.
  func owner(of element: String) -> String? { lowered.owners[element] }

  /// How many samples have entered or left a wire so far, whether it holds samples or not; with the
  /// bytes that have come from web servers.
  var movedSamples: Int {
    lowered.counters.reduce(context.log.progress &+ WebFile.arrivedBytes) { sum, wire in
      lowered.asideWires.contains(wire.name) ? sum : sum &+ wire.counter.samples
    }
  }

  func wireSnapshots() -> [WireSnapshot] {
    let snapshots = lowered.groups.flatMap { $0.snapshots() }
    return snapshots.filter { !lowered.asideWires.contains($0.name) }.map { wire in
      var wire = wire
      wire.leadsToProgram = lowered.outputs[wire.to] != nil
      return wire
    }
  }

  /// Goes on without inputs that have had no sample in their time, of which what servers took doesn't
  /// count.
  func leaveOutStarved(awaited: Int64) {
    guard let running = lowered.pipeline.runningTime else { return }
    for group in lowered.groups {
      for index in group.starved(at: Int64(clamping: running) - awaited) {
        group.leaveOut(index)
        let wire = group.wires[index]
        context.log.send(
          .warning(
            node: nil,
            message: "\(wire.name) had no sample in "
              + "\(wire.policy.firstSampleTimeout?.seconds ?? 0) s; its track is left out"))
      }
    }
  }

  /// Gives files their last touch where all their inputs came to an end. Others are left, unless a
  /// thread may still write them.
  func finishFiles(areThreadsStopped: Bool) {
    guard state == .completed || state == .failed else { return }
    for node in plan.nodes {
      guard let output = lowered.fileOutputs[node.name] else { continue }
      guard state == .completed || isWhole(node.name) else {
        if areThreadsStopped { lowered.writers[node.name]?.giveUp() }
        continue
      }
      do throws(PipelineFailure) {
        try lowered.writers[node.name]?.finish()
        try finish(output, of: node.name)
        try lowered.writers[node.name]?.check()
        for claim in lowered.claims where claim.node == node.name { try claim.flush() }
      } catch {
        context.fail(error)
      }
    }
    if context.failure != nil { markFailed() }
  }

  private func finish(_ output: any FileOutput, of node: String) throws(PipelineFailure) {
    do { try output.finish(lowered.tracks[node] ?? []) } catch {
      throw PipelineFailure(node: node, error)
    }
  }

  /// Whether a failed run has nevertheless written all that it had for a node's file.
  private func isWhole(_ node: String) -> Bool {
    let claims = lowered.claims.filter { $0.node == node }
    return !claims.isEmpty && claims.allSatisfy(\.isWhole)
  }

  /// Media time in all: that of the sources, or what a program says of its samples, or, where every sink ends after a stated time and that
  /// is sooner, the longest of these.
  var duration: Double? {
    let sources = lowered.pipeline.duration.map { Double($0) / 1e9 } ?? enteringDuration
    let limits = plan.nodes.filter { $0.type.role == .sink }.map { node in
      node.node.traits.maximumDuration?.seconds
    }
    guard !limits.contains(nil), let limit = limits.compactMap(\.self).max() else {
      return sources
    }
    return min(sources ?? limit, limit)
  }

  /// How long the longest of what programs append will be, where that is said.
  private var enteringDuration: Double? {
    plan.nodes.compactMap { node in
      if case .entry(let entry) = node.node.work { entry.expectedDuration?.seconds } else { nil }
    }.max()
  }

  /// Books what the stopped pipeline still held.
  func flush() {
    for group in lowered.groups {
      for index in group.wires.indices { group.setFlushing(true, on: index) }
    }
  }
}

extension WireGroup {
  func snapshots() -> [WireSnapshot] {
    monitor.withLock { state in
      wires.indices.map { index in
        let wire = wires[index]
        let queue = state.queues[index]
        let input = state.levels.inputs[index]
        return WireSnapshot(
          name: wire.name, from: wire.from.node, to: wire.to.node, samples: input.samples,
          seconds: Double(input.time) / 1e9, capacitySamples: input.policy.samples,
          capacitySeconds: input.policy.time.seconds,
          producerWaits: queue.blockedBy.map(describe), behind: queue.blockedBy.flatMap(late),
          consumerWaits: queue.isConsumerWaiting, isFinished: input.isFinished)
      }
    }
  }

  private func late(_ cause: Readiness.Cause) -> String? {
    if case .aheadOf(let other) = cause { wires[other].name } else { nil }
  }

  /// The inputs whose first sample is overdue.
  func starved(at time: Int64) -> [Int] {
    monitor.withLock { state in
      let longest = state.levels.inputs.compactMap { input in
        input.first.map { input.last.subtractingClamped($0) }
      }.max()
      return wires.indices.filter { index in
        let policy = wires[index].policy
        guard let timeout = policy.firstSampleTimeout else { return false }
        let input = state.levels.inputs[index]
        // By the clock, too, where the others have ended or take no more: nothing follows them.
        let others = wires.indices.filter { $0 != index }
        let isHeldUp =
          others.allSatisfy { state.levels.inputs[$0].isFinished }
          || others.contains { state.levels.cause(of: $0) != nil }
        let waited = policy.timesOutByMedia && !isHeldUp ? longest ?? 0 : time
        return input.first == nil && !input.isFinished && waited > timeout.nanosecondsClamped
      }
    }
  }
}
