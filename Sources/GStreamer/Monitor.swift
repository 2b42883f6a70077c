import CGStreamer
import Glibc

/// A value behind a mutex with a condition to wait on, for GStreamer's streaming threads.
///
/// A streaming thread may block, a Swift task may not: code that runs in a task calls
/// ``withLock(_:)`` only, which never waits for media.
@safe package final class Monitor<State>: @unchecked Sendable {
  // Unchecked because the mutex guards `state`; every access goes through `withLock`.
  private let state: Cell<State>
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: State) {
    self.state = Cell(state)
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // The wall clock may be set back while we wait; the monotonic one can't.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the state, alone.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&state.value)
  }

  /// Waits until another thread calls ``wakeAll()``. Only inside `withLock`, whose lock is given
  /// back while waiting; `state` may have changed when it returns.
  package func wait() {
    unsafe pthread_cond_wait(condition, mutex)
  }

  /// Wakes every thread that waits.
  package func wakeAll() {
    unsafe pthread_cond_broadcast(condition)
  }
}
