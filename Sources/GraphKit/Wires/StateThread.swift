import GStreamer
import GraphKitSystem

/// Does what may never return, such as changes of the pipeline's state, one after the other and
/// away from the thread that controls the run.
///
/// An element may hang in its change of state, and one that stops waits for its streaming thread.
/// What is being done keeps all that it uses alive, however long it takes.
final class StateThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isAtWork = false
  }
  private let state = Monitor(State())

  /// Does `job` after all that was given before. The thread lasts as long as there is anything to do.
  func perform(_ job: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      state.jobs.append(job)
      defer { state.isAtWork = true }
      return !state.isAtWork
    }
    if isIdle { _ = StreamingThread(name: "state", running: self) { $0.work() } }
  }

  private func work() {
    while let job = next() { job() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isAtWork = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}

/// Something that happens once, and may be waited for.
final class Completion: Sendable {
  private let isDone = Monitor(false)

  /// It has happened.
  func complete() {
    isDone.withLock { $0 = true }
    isDone.wakeAll()
  }

  /// Waits until it has happened, at most for some time; whether it has.
  func wait(_ seconds: Double) -> Bool {
    isDone.withLock { done in
      if !done { isDone.wait(&done, nanoseconds: UInt64(seconds * 1e9)) }
      return done
    }
  }
}
