import Glibc

/// A value behind a mutex with a condition to wait on, for streaming threads.
///
/// A streaming thread may block, a Swift task may not: code that runs in a task calls
/// ``withLock(_:)`` only, which never waits for media.
///
/// Public, though the module is the package's own: other modules get no inlinable code of what is
/// `package`, and would look up the state's type at each call.
@safe public final class Monitor<State>: Sendable {
  // Not checked by the compiler, because the mutex guards `state`; every access goes through `withLock`.
  //
  // While the lock is held the holder owns the state, and `wait` puts it back: other threads change
  // it meanwhile, and the compiler may assume that nothing else changes a value lent as `inout`. A
  // loop that waits for a change would otherwise never see it.
  @usableFromInline nonisolated(unsafe) let state = UnsafeMutablePointer<State>.allocate(
    capacity: 1)
  @usableFromInline nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
    capacity: 1)
  nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(
    capacity: 1)

  public init(_ state: State) {
    unsafe self.state.initialize(to: state)
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
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the state, alone.
  @inlinable public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    // Moved both ways: a copy that outlived the lock would have the next thread copy its arrays.
    var lent = unsafe state.move()
    let result: Result
    do throws(Failure) {
      result = try body(&lent)
    } catch {
      unsafe state.initialize(to: consume lent)
      throw error
    }
    unsafe state.initialize(to: consume lent)
    return result
  }

  /// Waits until another thread calls ``wakeAll()``. Only inside `withLock`, with the state that it
  /// lends; the lock is given back while waiting, and the state may have changed afterwards.
  package func wait(_ lent: inout State) {
    unsafe withUnsafeMutablePointer(to: &lent) { lent in
      // One value, not an array of one: that would be moved with the padding after it, which on a
      // stack may be another variable.
      unsafe state.initialize(to: lent.move())
      unsafe pthread_cond_wait(condition, mutex)
      unsafe lent.initialize(to: state.move())
    }
  }

  /// Waits until another thread calls ``wakeAll()``, or until a time has passed. Otherwise as
  /// ``wait(_:)``.
  package func wait(_ lent: inout State, nanoseconds: UInt64) {
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sum = end.tv_nsec + Int(rest)
    end.tv_sec += Int(clamping: min(seconds, 1 << 32)) + sum / 1_000_000_000
    end.tv_nsec = sum % 1_000_000_000
    unsafe withUnsafeMutablePointer(to: &lent) { lent in
      unsafe state.initialize(to: lent.move())
      unsafe pthread_cond_timedwait(condition, mutex, &end)
      unsafe lent.initialize(to: state.move())
    }
  }

  /// Wakes every thread that waits.
  package func wakeAll() {
    unsafe pthread_cond_broadcast(condition)
  }
}
