import GStreamer
import GraphKitSystem

/// One waiting task that several may wake: it is resumed once.
final class Waiter: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, Never>?
    var isResumed = false
  }
  private let state = Monitor(State())

  /// Takes the continuation; resumes it at once where `resume()` was called before.
  func set(_ continuation: CheckedContinuation<Void, Never>) {
    let isLate = state.withLock { state in
      if !state.isResumed { state.continuation = continuation }
      return state.isResumed
    }
    if isLate { continuation.resume() }
  }

  /// Wakes the task, unless it was woken already.
  func resume() {
    let continuation = state.withLock { state in
      state.isResumed = true
      return state.continuation.take()
    }
    continuation?.resume()
  }
}
