/// Has a file that is being recorded put on its disk once a second, on a thread of its own: a slow
/// disk may take longer than that for a second's bytes, and who writes isn't to wait for it.
package final class FileFlusher: Sendable {
  /// Puts on the disk what was written before the call; returns how many bytes the file had then.
  package typealias Flush = @Sendable () throws(File.Failure) -> Int

  private struct State {
    /// Whether anything was written since the last flush began.
    var isDirty = false
    var isStopped = false
    var hasEnded = false
    /// The size of the file of which all is on the disk.
    var flushedCount = 0
  }
  private let state = Monitor(State())
  private let flushFile: Flush
  private let interval: Duration

  /// Starts the thread. `onFailure` is called on it with the first flush that fails, which is the
  /// last: what the system couldn't put on the disk it doesn't try to again.
  package init(
    interval: Duration = .seconds(1), onFailure: @escaping @Sendable (File.Failure) -> Void,
    _ flush: @escaping Flush
  ) {
    self.interval = interval
    flushFile = flush
    _ = StreamingThread(name: "flush", running: self) { flusher in
      do throws(File.Failure) { try flusher.work() } catch { onFailure(error) }
      flusher.noteEnd()
    }
  }

  /// Something is written.
  package func noteWrite() {
    let isNew = state.withLock { state in
      defer { state.isDirty = true }
      return !state.isDirty
    }
    if isNew { state.wakeAll() }
  }

  /// How long the file was when the last flush that succeeded began: all that was written before is
  /// on the disk, but for what was written later at a smaller offset.
  package var flushedCount: Int { state.withLock { $0.flushedCount } }

  /// Puts all that was written on the disk, on the calling thread.
  package func flush() throws(File.Failure) {
    let count = try flushFile()
    state.withLock { $0.flushedCount = max($0.flushedCount, count) }
  }

  /// Ends the thread, and waits until it doesn't touch the file any more, at most for some time.
  package func stop(waiting: Duration = .seconds(2)) {
    let end = ContinuousClock.now + waiting
    state.withLock { $0.isStopped = true }
    state.wakeAll()
    state.withLock { state in
      while !state.hasEnded, .now < end {
        self.state.wait(&state, nanoseconds: Self.nanoseconds(until: end))
      }
    }
  }

  private func work() throws(File.Failure) {
    var next = ContinuousClock.now
    while isDue(at: next) {
      next = .now + interval
      try flush()
    }
  }

  /// Waits until there is something to flush and the time has come; `false` where it is stopped.
  private func isDue(at time: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      while !state.isStopped {
        if !state.isDirty {
          self.state.wait(&state)
        } else if .now < time {
          self.state.wait(&state, nanoseconds: Self.nanoseconds(until: time))
        } else {
          state.isDirty = false
          return true
        }
      }
      return false
    }
  }

  private func noteEnd() {
    state.withLock { $0.hasEnded = true }
    state.wakeAll()
  }

  private static func nanoseconds(until time: ContinuousClock.Instant) -> UInt64 {
    UInt64(max(1_000, (time - .now) / .nanoseconds(1)))
  }
}
