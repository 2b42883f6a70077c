/// Does work one after the other on a thread of its own, for threads that aren't to wait for a disk.
///
/// Each piece says how many bytes it keeps. Who adds one waits while those that aren't done keep more
/// than may be: a disk that is too slow for what it gets holds up its producer at last, and memory
/// stays bounded.
package final class OrderedWork: Sendable {
  package typealias Body = @Sendable () -> Void

  /// What the thread knows of it, so that the thread ends with its owner.
  private final class Queue: Sendable {
    struct State {
      var pieces: [(byteCount: Int, body: Body)] = []
      /// The bytes of what isn't done yet.
      var byteCount = 0
      var isWorking = false
      var isEnded = false
    }
    let state = Monitor(State())

    func run() {
      while let piece = next() {
        piece.body()
        state.withLock { state in
          state.byteCount -= piece.byteCount
          state.isWorking = false
        }
        state.wakeAll()
      }
    }

    private func next() -> (byteCount: Int, body: Body)? {
      state.withLock { state in
        while state.pieces.isEmpty {
          if state.isEnded { return nil }
          self.state.wait(&state)
        }
        state.isWorking = true
        return state.pieces.removeFirst()
      }
    }
  }

  private let queue = Queue()
  private let capacity: Int

  /// Starts the thread. Work of up to `capacity` bytes waits for it without holding anybody up.
  package init(name: String, capacity: Int) {
    self.capacity = capacity
    _ = StreamingThread(name: name, running: queue) { $0.run() }
  }

  deinit {
    queue.state.withLock { $0.isEnded = true }
    queue.state.wakeAll()
  }

  /// Adds a piece after those before it.
  package func add(byteCount: Int, _ body: @escaping Body) {
    queue.state.withLock { state in
      while state.byteCount > 0, state.byteCount + byteCount > capacity {
        queue.state.wait(&state)
      }
      state.byteCount += byteCount
      state.pieces.append((byteCount, body))
    }
    queue.state.wakeAll()
  }

  /// Waits until all is done that was added; `false` where it isn't after some time.
  @discardableResult
  package func wait(atMost limit: Duration? = nil) -> Bool {
    let end = limit.map { ContinuousClock.now + $0 }
    return queue.state.withLock { state in
      while state.isWorking || !state.pieces.isEmpty {
        guard let end else {
          queue.state.wait(&state)
          continue
        }
        guard .now < end else { return false }
        let left = (end - .now) / .nanoseconds(1)
        queue.state.wait(&state, nanoseconds: UInt64(max(1_000, left)))
      }
      return true
    }
  }
}
