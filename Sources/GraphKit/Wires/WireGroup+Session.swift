import GStreamer

/// What a wire has to do with the start of its sink's session.
enum SessionRole: Hashable, Sendable {
  case none
  /// Its first sample starts the session: video.
  case starts
  /// It waits for the start, and what ends before it is left out: audio beside video. A live one
  /// gives up its oldest samples rather than the newest while it waits.
  case waits(isLive: Bool)
}

/// The session of a file starts at its first video sample. Every function runs inside the group's lock.
extension WireGroup {
  /// When the session starts: at the first frame of any track. `nil` before that is known.
  private func sessionStart(_ state: State) -> Int64? {
    var start: Int64?
    for (wire, input) in zip(wires, state.readiness.inputs) where wire.session == .starts {
      if let first = input.first { start = min(start ?? first, first) }
    }
    return start
  }

  /// Whether frames may still come and none has.
  func awaitsSession(_ state: State) -> Bool {
    guard sessionStart(state) == nil else { return false }
    return zip(wires, state.readiness.inputs).contains { $0.session == .starts && !$1.isFinished }
  }

  /// Whether a wire's next item may leave; drops what is before the session.
  func mayTake(_ index: Int, _ state: inout State) -> Bool {
    guard case .waits = wires[index].session, state.queues[index].isBeforeSession else {
      return true
    }
    if state.queues[index].store.items.startsWithEvent {
      if state.readiness.inputs[index].isFinished { warnOfLostSound(index, &state) }
      return true
    }
    if awaitsSession(state) { return false }
    guard let start = sessionStart(state) else {
      state.queues[index].isBeforeSession = false
      return true
    }
    // Packets before the beginning of a copied stream are needed to decode its first.
    let keepsLead = wires[index].copies && start <= 0
    while !keepsLead, let end = state.queues[index].endOfFirst,
      end + margin(of: index, state) <= start
    {
      dropFirst(index, &state)
    }
    if !state.queues[index].store.items.isEmpty {
      state.queues[index].isBeforeSession = false
      warnOfLostSound(index, &state)
    }
    return true
  }

  /// How long before the session a copied packet may end and be kept: to decode the first that is
  /// heard, the one before it is needed.
  private func margin(of index: Int, _ state: State) -> Int64 {
    wires[index].copies ? Int64(state.queues[index].store.items.firstDuration) : 0
  }

  /// Gives up the oldest sample of a live wire that waits for its session; `false` for others.
  func makesRoom(on index: Int, _ state: inout State) -> Bool {
    if wires[index].policy.keepsLatest { return supersede(on: index, &state) }
    guard wires[index].session == .waits(isLive: true), awaitsSession(state),
      state.queues[index].endOfFirst != nil
    else { return false }
    dropFirst(index, &state)
    return true
  }

  /// The time by which a buffer is before or after the session's end: frames that are presented in
  /// another order are cut in that of decoding, as many as are presented until then.
  func limitClock(of buffer: borrowing Buffer, on index: Int) -> UInt64? {
    guard wires[index].limit != nil, let decode = buffer.decodeTime,
      let time = buffer.presentationTime
    else { return buffer.presentationTime ?? buffer.decodeTime }
    return monitor.withLock { state in
      if state.readiness.inputs[index].first == nil {
        state.queues[index].lead = Int64(clamping: time) - Int64(clamping: decode)
      }
      return UInt64(exactly: Int64(clamping: decode) + state.queues[index].lead)
    }
  }

  /// Whether a sample begins where the session has ended.
  func isBeyondLimit(_ clock: UInt64?, on index: Int, _ state: State) -> Bool {
    guard let limit = wires[index].limit, let clock else { return false }
    return limit.isReached(by: Int64(clamping: clock) - state.queues[index].originIn)
  }

  /// Waits until it is known whether a sample is beyond the limit. Outside the group's lock: the
  /// wires that a limit is shared by are in groups of their own.
  func awaitLimit(_ clock: UInt64?, on index: Int) {
    guard wires[index].awaitsLimit, let limit = wires[index].limit, let clock else { return }
    let origin = monitor.withLock { $0.queues[index].originIn }
    limit.settle(Int64(clamping: clock) - origin)
  }

  /// No more samples come on a wire.
  func finishReadiness(_ index: Int, _ state: inout State) {
    state.readiness.finish(index)
    if wires[index].startsLimit { wires[index].limit?.end(starter: wires[index].name) }
  }

  /// Ends a wire where the session ends.
  func reachLimit(_ index: Int, _ state: inout State) -> Flow {
    if !state.readiness.inputs[index].isFinished {
      finishReadiness(index, &state)
      state.queues[index].store.items.append(Event.endOfStream())
      wakeConsumer(index, &state)
      wakeForSession(index, &state)
      wakeProducers(&state)
    }
    drop(.afterSessionEnd, on: index, &state)
    return .endOfStream
  }

  /// Lets wires that wait for the session look again: a wire of video has had its first, or will
  /// have none.
  func wakeForSession(_ index: Int, _ state: inout State) {
    guard wires[index].session == .starts else { return }
    for other in wires.indices where other != index { wakeConsumer(other, &state) }
  }

  /// Says how much of a file's audio was left out, once no more of it will be.
  private func warnOfLostSound(_ index: Int, _ state: inout State) {
    let lost = state.queues[index].lostBeforeSession
    state.queues[index].lostBeforeSession = 0
    guard wires[index].session == .waits(isLive: false), lost > 0 else { return }
    let seconds = lost.magnitude.secondsToTheMillisecond
    log.send(
      .warning(
        node: nil,
        message: "\(seconds) s of audio on \(wires[index].name), from before the first video "
          + "sample, is left out"))
  }

  private func dropFirst(_ index: Int, _ state: inout State) {
    guard case .buffer(let buffer) = state.queues[index].store.items.popFirst() else { return }
    state.readiness.take(
      index, time: buffer.time(from: state.queues[index].originOut),
      duration: Int64(buffer.duration ?? 0), bytes: buffer.size)
    state.queues[index].ledger.held -= 1
    drop(.beforeSessionStart, on: index, &state)
    state.queues[index].lostBeforeSession &+= Int64(clamping: buffer.duration ?? 0)
    wakeProducers(&state)
  }
}

extension WireGroup.Queue {
  /// When the first sample that is held ends; `nil` where an event comes first or nothing is held.
  fileprivate var endOfFirst: Int64? {
    let duration = store.items.firstDuration
    return store.items.firstTime.map { Int64(clamping: $0) - originOut + Int64(duration) }
  }
}
