import GraphKitSystem

/// What a step under a group's lock leaves to be done once the lock is given back: what is woken
/// or notified may call the group at once.
struct Deferred: Sendable {
  /// Whether threads that wait for the group look again.
  var wakesThreads = false
  /// Tasks to resume, and other threads to wake.
  var calls: [@Sendable () -> Void] = []
  /// What listeners are to hear.
  var events: [PipelineEvent.Kind] = []

  var isEmpty: Bool { !wakesThreads && calls.isEmpty && events.isEmpty }
}

extension WireGroup {
  /// Runs `body` inside the lock, then what it has deferred outside of it.
  func locked<Result: ~Copyable>(_ body: (inout State) -> Result) -> Result {
    var deferred = Deferred()
    let result = monitor.withLock { state in
      defer { swap(&deferred, &state.deferred) }
      return body(&state)
    }
    perform(deferred)
    return result
  }

  /// Runs `body` inside the lock until it has a result; waits in between for something to change.
  /// `aroundWait` is called inside the lock before such a wait, with `true`, and after it.
  func attempt<Result: ~Copyable>(
    aroundWait: (inout State, Bool) -> Void = { _, _ in }, _ body: (inout State) -> Result?
  ) -> Result {
    while true {
      var deferred = Deferred()
      let result: Result? = monitor.withLock { state in
        while true {
          let result = body(&state)
          let isOver = result != nil
          // What is deferred may be what the change depends on.
          if isOver || !state.deferred.isEmpty {
            swap(&deferred, &state.deferred)
            return result
          }
          aroundWait(&state, true)
          monitor.wait(&state)
          aroundWait(&state, false)
        }
      }
      perform(deferred)
      if let result { return result }
    }
  }

  private func perform(_ deferred: Deferred) {
    if deferred.wakesThreads { monitor.wakeAll() }
    for call in deferred.calls { call() }
    for event in deferred.events { log.send(event) }
  }
}
