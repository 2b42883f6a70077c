/// Whether a run stands still since its program takes its time with the samples that wait for it: in a
/// graph that leads to programs alone, that is no fault of the graph's, and may take as long as it likes.
///
/// A program that waits at one output while another is full has a fault, and so has one that has never
/// asked for an output.
struct ReaderWatch {
  private let outputs: [SampleOutput]
  private let patience: Double
  private var progress: Int?
  private var since = ContinuousClock.now
  private var hasWarned = false

  init(_ storage: PipelineStorage) {
    let ends = storage.plan.ends.map { storage.lowered.outputs[$0.name] }
    patience = storage.configuration.stallTimeout
    outputs = ends.contains { $0 == nil } ? [] : ends.compactMap(\.self)
  }

  /// Whether samples wait, and the program doesn't.
  var isAwaited: Bool {
    let readers = outputs.filter(\.isAskedFor)
    return readers.contains(where: \.holdsSamples) && !readers.contains(where: \.isAwaited)
  }

  /// The run goes on after a time in which it couldn't.
  mutating func restart() { progress = nil }

  /// What to say of a program that has taken nothing for as long as a run may stand still: once, until it
  /// takes something.
  mutating func warning(progress now: Int) -> RunWarning? {
    guard now == progress else {
      (progress, since, hasWarned) = (now, .now, false)
      return nil
    }
    guard !hasWarned, (.now - since) / .seconds(1) > patience, let name = unread else { return nil }
    hasWarned = true
    return RunWarning(
      node: name,
      message: "its program hasn't taken a sample for \(patience.secondsText): the run waits for it"
    )
  }

  private var unread: String? {
    outputs.first { $0.isAskedFor && $0.holdsSamples }.map { $0.group.wires[$0.index].to.node }
  }
}

extension SampleOutput {
  /// Whether there is something to take.
  fileprivate var holdsSamples: Bool { group.holdsItems(index) }
  /// Whether the program waits for a sample that isn't there yet.
  fileprivate var isAwaited: Bool { group.isAwaited(index) }
}

extension WireGroup {
  fileprivate func holdsItems(_ index: Int) -> Bool {
    monitor.withLock { $0.levels.inputs[index].samples > 0 }
  }

  fileprivate func isAwaited(_ index: Int) -> Bool {
    monitor.withLock { state in
      !state.queues[index].consumers.isEmpty && !state.levels.inputs[index].isFinished
    }
  }
}
