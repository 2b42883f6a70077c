import GStreamer

/// Waking, waiting and booking; every function runs inside the group's lock, and leaves what it wakes
/// or reports to be done after it.
extension WireGroup {
  func drop(_ reason: DropReason, on index: Int, _ state: inout State) {
    state.queues[index].ledger.dropped[reason.rawValue, default: 0] += 1
    if log.hasListeners {
      state.deferred.events.append(.drop(wire: wires[index].name, reason: reason))
    }
  }

  func discardHeld(_ index: Int, _ reason: DropReason, _ state: inout State) {
    let remains = state.queues[index].remains
    let keeps = wires[index].policy.keepsLatest && reason == .runEnded
    while let item = state.queues[index].store.items.popFirst() {
      switch consume item {
      case .event(let event): if keeps { remains.items.append(event) }
      case .buffer(let buffer):
        state.queues[index].ledger.held -= 1
        state.queues[index].ledger.dropped[reason.rawValue, default: 0] += 1
        if keeps { remains.items.append(buffer) }
      }
    }
  }

  func beginWait(for cause: Readiness.Cause, on index: Int, _ state: inout State)
    -> ContinuousClock.Instant
  {
    state.queues[index].ledger.waits += 1
    state.queues[index].times.beginBlocked(at: log.active.now)
    endBatches(&state)
    if log.hasListeners {
      state.deferred.events.append(
        .readiness(wire: wires[index].name, isReady: false, cause: describe(cause)))
    }
    let now = ContinuousClock.now
    state.queues[index].blockedSince = now
    return now
  }

  func endWait(since start: ContinuousClock.Instant?, on index: Int, _ state: inout State) {
    guard let start else { return }
    let cause = state.queues[index].blockedBy.take()
    state.queues[index].blockedSince = nil
    state.queues[index].times.endBlocked(at: log.active.now)
    let end = ContinuousClock.now
    state.queues[index].ledger.waitedSeconds += (end - start) / .seconds(1)
    if log.hasListeners {
      state.deferred.events.append(
        .readiness(wire: wires[index].name, isReady: true, cause: nil))
    }
    log.waited(wire: wires[index].name, from: start, to: end, since: cause.map(describe))
  }

  /// The consumer begins to wait for a sample, or has waited.
  func noteWait(of index: Int, begins: Bool, _ state: inout State) {
    let now = ContinuousClock.now
    state.queues[index].isConsumerWaiting = begins
    let since = state.queues[index].waitsSince
    state.queues[index].waitsSince = begins ? now : nil
    if begins { noteRest(on: index, &state) }
    guard !begins, let since else { return }
    state.queues[index].ledger.idleSeconds += (now - since) / .seconds(1)
    log.idled(wire: wires[index].name, from: since, to: now)
  }

  /// A cause in words: `full (2.000 s)`, `ahead of sink.audio`.
  func describe(_ cause: Readiness.Cause) -> String {
    switch cause {
    case .fullOfTime: "full of media time"
    case .fullOfBytes: "full of bytes"
    case .fullOfSamples: "full of samples"
    case .aheadOf(let other): "ahead of \(wires[other].name)"
    case .beforeTurn: "before its turn"
    }
  }

  func wakeConsumer(_ index: Int, _ state: inout State) {
    if state.queues[index].isConsumerWaiting { state.deferred.wakesThreads = true }
    guard !state.queues[index].consumers.isEmpty else { return }
    state.deferred.calls += state.queues[index].consumers
    state.queues[index].consumers = []
  }

  func wakeProducers(_ state: inout State) {
    var isAnyBlocked = false
    for index in state.queues.indices {
      if state.queues[index].blockedBy != nil, isWorthWaking(index, state) { isAnyBlocked = true }
      guard !state.queues[index].producers.isEmpty, state.levels.cause(of: index) == nil
      else { continue }
      resumeProducers(index, &state)
    }
    if isAnyBlocked { state.deferred.wakesThreads = true }
  }

  /// Batches end where a producer waits, or each might wait for the other.
  private func endBatches(_ state: inout State) {
    for other in wires.indices where wires[other].delivery == .batched {
      wakeConsumer(other, &state)
    }
  }

  /// Whether a wire's consumer is to be woken for what it holds: sixteen samples of a wire that is
  /// taken in batches, or a quarter of what it may hold.
  func isWorthTaking(_ index: Int, _ state: State) -> Bool {
    switch wires[index].delivery {
    case .each: return true
    case .direct: return false
    case .batched: break
    }
    let input = state.levels.inputs[index]
    return input.samples >= 16 || !input.isBelow(quarters: 1)
  }

  /// Whether a wire has the room that its blocked producer is to be woken for.
  private func isWorthWaking(_ index: Int, _ state: State) -> Bool {
    guard wires[index].policy.refillsLate else { return true }
    return state.levels.inputs[index].isBelow(quarters: 3)
  }

  func wakeAll(_ state: inout State) {
    state.deferred.wakesThreads = true
    for index in state.queues.indices {
      resumeProducers(index, &state)
      wakeConsumer(index, &state)
    }
  }

  private func resumeProducers(_ index: Int, _ state: inout State) {
    state.deferred.calls += state.queues[index].producers
    state.queues[index].producers = []
  }

  /// The accounts of every wire, as they stand.
  func ledgers() -> [(name: String, ledger: WireLedger)] {
    monitor.withLock { state in
      let now = ContinuousClock.now
      return zip(wires, state.queues).map { ($0.name, $1.ledger(at: now)) }
    }
  }
}

extension WireGroup.Queue {
  /// The account, with waits that go on at a time taken as over.
  fileprivate func ledger(at time: ContinuousClock.Instant) -> WireLedger {
    var ledger = ledger
    if let blockedSince { ledger.waitedSeconds += (time - blockedSince) / .seconds(1) }
    if let waitsSince { ledger.idleSeconds += (time - waitsSince) / .seconds(1) }
    return ledger
  }
}

extension WireLedger {
  /// Books a sample as not dropped after all.
  mutating func takeBack(_ reason: DropReason) {
    let count = dropped[reason.rawValue, default: 0] - 1
    dropped[reason.rawValue] = count > 0 ? count : nil
  }

  /// Books a sample that is held from now on.
  mutating func note(_ input: Readiness.Input) {
    held += 1
    highWaterSamples = max(highWaterSamples, input.samples)
    highWaterBytes = max(highWaterBytes, input.bytes)
    highWaterSeconds = max(highWaterSeconds, Double(input.time) / 1e9)
  }
}

extension WireGroup {
  /// Whether the sink goes on without an input.
  func isLeftOut(_ index: Int) -> Bool { monitor.withLock { $0.queues[index].isLeftOut } }
}

/// Swift tasks that wait.
extension WireGroup {
  /// Calls `body` once, when an input is ready or will never be.
  func whenReady(_ index: Int, _ body: @escaping @Sendable () -> Void) {
    let isNow: Bool = monitor.withLock { state in
      guard isOpen(index, state), state.levels.cause(of: index) != nil else { return true }
      state.queues[index].producers.append(body)
      return false
    }
    if isNow { body() }
  }

  /// Whether a sample is taken from a wire's producer at once, or never. Where it isn't, batches end: the
  /// producer may wait for what they lead to.
  func isReady(_ index: Int) -> Bool {
    if wires[index].delivery == .direct { return true }
    return locked { state in
      guard isOpen(index, state), state.levels.cause(of: index) != nil else { return true }
      endBatches(&state)
      return false
    }
  }

  /// Calls `body` once, when a wire has something to take or never will.
  func whenItemComes(_ index: Int, _ body: @escaping @Sendable () -> Void) {
    let isNow: Bool = monitor.withLock { state in
      if !state.queues[index].store.items.isEmpty || state.queues[index].isFlushing { return true }
      state.queues[index].consumers.append(body)
      return false
    }
    if isNow { body() }
  }

  /// Whether nothing will come out of a wire any more.
  func isStopped(_ index: Int) -> Bool { monitor.withLock { $0.queues[index].isFlushing } }
}

extension WireGroup {
  /// Ends an input after the samples that it holds; again, to no effect.
  func finish(_ index: Int) {
    let isOpen = monitor.withLock { state in self.isOpen(index, state) }
    if isOpen { enqueue(.endOfStream(), on: index) }
  }
}

extension Readiness.Cause {
  var dropReason: DropReason {
    if case .aheadOf = self { .aheadOfOtherInput } else { .wireFull }
  }
}

extension WireGroup {
  /// Books samples as dropped that were lost before a wire, or after it.
  func book(_ reason: DropReason, count: Int, onWire name: String) {
    guard let index = wires.firstIndex(where: { $0.name == name }) else { return }
    monitor.withLock { $0.queues[index].ledger.book(reason, count: count) }
  }
}

extension WireGroup {
  /// Books samples that went past a wire's queue, straight into the file that it leads to.
  func noteCopied(_ count: Int, on index: Int) {
    monitor.withLock { state in
      state.queues[index].ledger.samplesIn += count
      state.queues[index].ledger.samplesOut += count
    }
    log.advance()
  }
}

extension WireGroup {
  /// Whether nothing moves on these wires before another sample comes.
  ///
  /// A wire is at rest where its consumer waits, and it is empty or waits for the session. Where one
  /// of an element's wires is, the element may hold the others until a sample comes there.
  func isAtRest(isExit: Bool) -> Bool {
    monitor.withLock { state in
      let open = state.queues.indices.filter { index in
        // Nothing waits for a preview, not even virtual time.
        if wires[index].policy.keepsLatest || wires[index].isAside { return false }
        let queue = state.queues[index]
        let isOver = state.levels.inputs[index].isFinished && queue.store.items.isEmpty
        return !isOver && !queue.isFlushing && !queue.isLeftOut
      }
      let resting = open.filter { index in
        let queue = state.queues[index]
        let isDirect = wires[index].delivery == .direct
        guard queue.isConsumerWaiting || isExit || isDirect else { return false }
        return queue.store.items.isEmpty || !isInTurn(index, state)
          || state.session.holds(next(on: index, state), on: index)
          || endVerdict(on: index, state) == .wait
      }
      return resting.count == open.count || waitsInside && !resting.isEmpty
    }
  }
}
