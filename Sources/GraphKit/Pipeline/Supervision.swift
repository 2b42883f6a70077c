import GraphKitSystem

/// What the thread that controls a run makes of it where nothing moves: a pure state machine over
/// what it sees many times a second.
struct Supervision {
  /// What a look has shown.
  enum Finding: Hashable {
    case nothing
    /// The run was asked to end, and has come to rest before its end.
    case unended
    /// Nothing has moved for so many seconds.
    case stalled(Double)
  }

  /// Whether a run that goes on still gets anywhere, and one that was asked to end.
  private var running: ProgressWatch
  private var finishing = ProgressWatch(.rest(0.5))

  init(stallTimeout: Double) { running = ProgressWatch(.stall(stallTimeout)) }

  /// The run goes on after a time in which it couldn't.
  mutating func restart() { running.reset() }

  /// The same of a run that was asked to end, too: its process, or its program, stood still, which is no
  /// node's fault.
  mutating func restartAfterStandstill() {
    running.reset()
    finishing.reset()
  }

  /// Takes how far the run is in a state.
  mutating func look(
    at state: PipelineState, progress: Int, now: ContinuousClock.Instant = .now,
    cpuSeconds: @autoclosure () -> Double = ProcessTime.cpuSeconds,
    isBusy: () -> Bool = { Machine.hasWorkingThread }
  ) -> Finding {
    guard [.preparing, .running, .finishing].contains(state) else {
      running.reset()
      return .nothing
    }
    if state == .finishing,
      finishing.isAtRest(progress: progress, at: now, cpuSeconds: cpuSeconds(), isBusy: isBusy)
    {
      return .unended
    }
    let isStalled = running.isAtRest(
      progress: progress, at: now, cpuSeconds: cpuSeconds(), isBusy: isBusy)
    return isStalled ? .stalled(running.rule.time) : .nothing
  }
}
