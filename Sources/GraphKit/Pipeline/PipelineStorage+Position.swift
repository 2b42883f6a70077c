/// How far a run has come, in media time.
extension PipelineStorage {
  /// Media time that has reached the sinks: that of the slowest wire into one, but for previews
  /// beside others. Where sinks are called by what leads to them, it is that of the slowest wire
  /// that holds anything, or else that of the slowest sink; `nil` where none tells.
  var position: Double? {
    // The clock goes on; the media doesn't.
    if let pausedPosition { return pausedPosition }
    let isLive = plan.nodes.contains { $0.node.traits.isLive }
    let clock = lowered.pipeline.runningTime.map { Double($0) / 1e9 }
    let queues = lowered.sinkQueues.filter { !$0.group.wires[$0.index].isAside }
    guard !queues.isEmpty else {
      let inside = lowered.groups.flatMap(\.positionsInside).map { StreamCut.position(at: $0) }
        .min()
      return inside ?? linkedPosition ?? (isLive ? clock : nil)
    }
    let positions = queues.compactMap { $0.group.position(of: $0.index) }
    return positions.map { StreamCut.position(at: $0) }.min() ?? clock
  }

  /// What has passed the wires into the slowest sink that is called by what leads to it and hasn't ended,
  /// or, where all have, into the longest; `nil` before anything has. The streams of one reader end
  /// apart: of several into one sink, that counts which has come furthest.
  private var linkedPosition: Double? {
    let counters = Dictionary(lowered.counters.map { ($0.name, $0.counter) }) { first, _ in first }
    let wires = plan.wires.filter {
      plan[$0.to.node]?.type.role == .sink && !lowered.asideWires.contains($0.name)
    }
    let sinks = Dictionary(grouping: wires, by: \.to.node).values.map { wires in
      wires.compactMap { counters[$0.name] }
    }
    let reached = { (sink: [WireCounter]) -> Double? in
      sink.compactMap(\.time).map { StreamCut.position(at: Double($0) / 1e9) }.max()
    }
    guard let longest = sinks.compactMap(reached).max() else { return nil }
    let open = sinks.filter { !$0.allSatisfy(\.hasEnded) }
    return open.map { reached($0) ?? 0 }.min() ?? longest
  }
}

extension WireGroup {
  /// How far a wire's samples have been taken, in seconds.
  fileprivate func position(of index: Int) -> Double? {
    monitor.withLock { state in
      let input = state.levels.inputs[index]
      if input.first != nil { return Double(input.taken) / 1e9 }
      // One that has had no sample yet is at the beginning; one that never will tells nothing.
      return input.isFinished ? nil : 0
    }
  }

  /// The same of all wires whose samples have times and have moved, but for those of previews.
  fileprivate var positionsInside: [Double] {
    monitor.withLock { state in
      zip(wires, state.levels.inputs).compactMap { wire, input in
        guard !wire.isAside, let first = input.first, input.taken > first else { return nil }
        return Double(input.taken) / 1e9
      }
    }
  }
}

/// Says how far a run has come, ten times a second.
struct ProgressMeter {
  private var last: ContinuousClock.Instant?
  private var start: ContinuousClock.Instant?

  mutating func report(_ storage: PipelineStorage) {
    let now = ContinuousClock.now
    if start == nil { start = now }
    guard last.map({ now - $0 > .milliseconds(100) }) ?? true, let start else { return }
    last = now
    guard storage.context.log.hasListeners, let reached = storage.position else { return }
    let duration = storage.duration
    // The last sample may last longer than what was asked for.
    let position = min(reached, duration ?? reached)
    let wall = (now - start) / .seconds(1)
    let speed = wall > 0 ? position / wall : 0
    storage.context.log.send(
      .progress(
        PipelineEvent.Progress(
          position: position, duration: duration, speed: speed,
          secondsLeft: duration.flatMap { speed > 0 ? max(0, $0 - position) / speed : nil })))
  }
}
