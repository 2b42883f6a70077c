import GStreamer
import System

/// How long the session of a sink lasts: shared by the sources' wires that lead to it.
///
/// It counts from the first frame where the sink takes video, else from the first sample, and it is
/// kept where samples leave their sources, since raw samples can be cut anywhere and encoded ones
/// can't.
final class SessionLimit: Sendable {
  private struct State {
    var start: Int64?
    /// The wires of the kind that starts the session which may still do so, by name.
    var starters: Set<String> = []
    /// The earliest sample of the others: the start where no starter ever has one.
    var firstOther: Int64?
    /// The pipeline is stopping: no thread waits.
    var isReleased = false
  }
  private let duration: Int64
  private let state = Monitor(State())

  init(_ duration: MediaTime) { self.duration = duration.nanosecondsClamped }

  /// A wire whose first sample may start the session.
  func add(starter name: String) { state.withLock { _ = $0.starters.insert(name) } }

  /// A sample of the kind that starts the session has come.
  func begin(at time: Int64) {
    // Half of the range is left for what is compared with it.
    state.withLock { $0.start = min($0.start ?? time, time, .max / 2) }
    state.wakeAll()
  }

  /// A wire that may start the session has ended.
  func end(starter name: String) {
    state.withLock { state in
      state.starters.remove(name)
      if state.starters.isEmpty { state.start = state.start ?? state.firstOther }
    }
    state.wakeAll()
  }

  /// Waits until it is known whether a sample is beyond the end. Audio that runs ahead of the first
  /// frame waits once it could be: how far it gets must not depend on which thread is faster.
  func settle(_ time: Int64) {
    state.withLock { state in
      state.firstOther = min(state.firstOther ?? time, time)
      if state.starters.isEmpty { state.start = state.start ?? state.firstOther }
      while state.start == nil, !state.isReleased, time + 1000 >= duration {
        self.state.wait(&state)
      }
    }
  }

  /// Releases the threads that wait, with a pipeline that stops; or makes them wait again.
  func release(_ isReleased: Bool) {
    state.withLock { $0.isReleased = isReleased }
    state.wakeAll()
  }

  /// Whether a sample at a time is beyond the end.
  func isReached(by time: Int64) -> Bool {
    guard let start = state.withLock({ $0.start }) else { return false }
    // The time of a frame may have been rounded down.
    return time - start >= duration - 1000
  }
}
