import GraphKitSystem

/// How long a run has been at work: from when it first plays to its end, without its pauses.
final class ActiveTime: Sendable {
  private let state = Monitor(State())

  private struct State {
    var total = Duration.zero
    var paused = Duration.zero
    /// Since when the run is at work, or paused.
    var activeSince: ContinuousClock.Instant?
    var pausedSince: ContinuousClock.Instant?
    /// When streams ended on wires that hold nothing.
    var ends: [String: Duration] = [:]

    mutating func settle() {
      let now = ContinuousClock.now
      total += activeSince.map { now - $0 } ?? .zero
      paused += pausedSince.map { now - $0 } ?? .zero
      (activeSince, pausedSince) = (nil, nil)
    }
  }

  /// So far.
  var now: Duration {
    state.withLock { $0.total + ($0.activeSince.map { .now - $0 } ?? .zero) }
  }

  /// How long the run was paused so far.
  var paused: Duration {
    state.withLock { $0.paused + ($0.pausedSince.map { .now - $0 } ?? .zero) }
  }

  /// When the stream of each wire ended that holds nothing, as far as that has come.
  var ends: [String: Duration] { state.withLock { $0.ends } }

  /// The stream of a wire that holds nothing has ended.
  func noteEnd(of wire: String) {
    let now = now
    state.withLock { $0.ends[wire] = $0.ends[wire] ?? now }
  }

  /// The run plays from now on.
  func run() {
    state.withLock {
      $0.settle()
      $0.activeSince = .now
    }
  }

  /// The run is paused from now on.
  func pause() {
    state.withLock {
      $0.settle()
      $0.pausedSince = .now
    }
  }

  /// The run has ended.
  func stop() { state.withLock { $0.settle() } }
}
