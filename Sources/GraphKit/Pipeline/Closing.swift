import GStreamer

/// How the sinks of a run that failed come to their end: what can still be written is.
///
/// The sources are asked to end, so that what they gave comes through to the sinks. After a stall, an
/// input that nothing comes to is ended on its own, since a muxer would wait for it; once nothing moves
/// any more, all are.
struct Closing {
  private let storage: PipelineStorage
  private let deadline: ContinuousClock.Instant
  private let isStall: Bool
  private var watch: ProgressWatch
  private var areAllEnded = false

  init(_ storage: PipelineStorage) {
    self.storage = storage
    deadline = .now + .seconds(storage.configuration.closingTimeout)
    isStall = storage.context.failure?.isStall == true
    // The caller has waited for the stall to be found, and isn't to wait for as long again.
    watch = ProgressWatch(.rest(0.35, most: isStall ? 1 : nil))
  }

  /// Ends the inputs that another input of their sink waits for in vain. Elsewhere an encoder may yet
  /// send what it holds.
  func endStarved() {
    guard isStall else { return }
    for queue in storage.lowered.sinkQueues where queue.group.isStarving(queue.index) {
      queue.group.finish(queue.index)
    }
  }

  /// Whether the sinks have had their time. To be asked again and again.
  mutating func isOver() -> Bool {
    if .now > deadline { return true }
    guard watch.isAtRest(progress: storage.movedSamples) else { return false }
    if areAllEnded { return true }
    areAllEnded = true
    for queue in storage.lowered.sinkQueues { queue.group.finish(queue.index) }
    watch.reset()
    return false
  }
}

extension WireGroup {
  /// Whether a wire is empty while another of its group holds something.
  fileprivate func isStarving(_ index: Int) -> Bool {
    monitor.withLock { state in
      let inputs = state.levels.inputs
      return inputs[index].samples == 0 && inputs.contains { $0.samples > 0 }
    }
  }
}

extension Plan {
  /// The nodes that nothing follows.
  var ends: [PlanNode] { nodes.filter { outputs(of: $0.name).isEmpty } }
}
