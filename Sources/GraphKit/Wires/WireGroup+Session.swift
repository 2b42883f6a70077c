import GStreamer

/// The gates of a sink's session, at the wires' two ends. Every function but the first runs inside
/// the group's lock.
extension WireGroup {
  /// The time by which a buffer is before or after the session's end, once it is known which; `nil`
  /// where nothing ends the wire. A text that is shown beyond the end is to be shown until then.
  func decidedTime(of buffer: inout Buffer, on index: Int) -> Int64? {
    guard let gate = wires[index].limit else { return nil }
    let presentation = buffer.presentationTime.map { Int64(clamping: $0) }
    let decode = buffer.decodeTime.map { Int64(clamping: $0) }
    let runningTime = locked { state in
      let origin = state.queues[index].originIn
      return state.queues[index].limit?.runningTime(
        presentation: presentation, decode: decode, origin: origin)
    }
    gate.waitUntilDecided(runningTime ?? nil, lasting: buffer.duration)
    let presented = gate.presented(of: buffer.duration, from: runningTime ?? nil)
    if presented != buffer.duration { buffer.duration = presented }
    return runningTime ?? nil
  }

  /// Ends a wire where the session ends.
  func reachLimit(_ index: Int, _ state: inout State) -> Flow {
    if !state.levels.inputs[index].isFinished {
      endInput(index, &state)
      state.queues[index].store.items.append(Event.endOfStream())
      wakeConsumer(index, &state)
      wakeForSession(index, &state)
      wakeProducers(&state)
    }
    drop(.afterSessionEnd, on: index, &state)
    return .endOfStream
  }

  /// No more samples come on a wire.
  func endInput(_ index: Int, _ state: inout State) {
    state.levels.finish(index)
    state.session.finish(index)
    wakeForCommonEnd(index, &state)
    if state.queues[index].limit?.finish() == true { wakeLimit(index, &state) }
  }

  /// Has threads that wait for the limit look again.
  func wakeLimit(_ index: Int, _ state: inout State) {
    guard let limit = wires[index].limit else { return }
    state.deferred.calls.append { limit.wake() }
  }

  /// Whether a wire's next item may leave; drops what is before the session or after its end.
  func mayTake(_ index: Int, _ state: inout State) -> Bool {
    isInSession(index, &state) && isBeforeCommonEnd(index, &state)
  }

  private func isInSession(_ index: Int, _ state: inout State) -> Bool {
    guard wires[index].session.role != .none else { return true }
    while true {
      switch state.session.verdict(on: index, next(on: index, state)) {
      case .wait: return false
      case .drop: dropFirst(index, .beforeSessionStart, &state)
      case .take(let lost):
        if lost > 0 { warnOfLostSound(lost, on: index, &state) }
        return true
      }
    }
  }

  /// Gives up the oldest sample of a wire that is full, for a new one; `false` where it doesn't.
  func makesRoom(on index: Int, _ state: inout State) -> Bool {
    if wires[index].policy.keepsLatest { return supersede(on: index, &state) }
    guard state.session.givesUpOldest(on: index),
      case .sample(.some, _) = next(on: index, state)
    else { return false }
    dropFirst(index, .beforeSessionStart, &state)
    return true
  }

  /// Lets wires that wait for the session look again: a wire of video has had its first, or will
  /// have none.
  func wakeForSession(_ index: Int, _ state: inout State) {
    guard state.session.isStarter(index) else { return }
    for other in wires.indices where other != index { wakeConsumer(other, &state) }
  }

  /// Says how much of a file's audio was left out, once no more of it will be.
  private func warnOfLostSound(_ lost: Int64, on index: Int, _ state: inout State) {
    let seconds = lost.magnitude.secondsToTheMillisecond
    state.deferred.events.append(
      .warning(
        node: nil,
        message: "\(seconds) s of audio on \(wires[index].name), from before the first video "
          + "sample, is left out"))
  }

  /// Leaves out the oldest sample of a wire.
  func dropFirst(_ index: Int, _ reason: DropReason, _ state: inout State) {
    guard case .buffer(let buffer) = state.queues[index].store.items.popFirst() else { return }
    state.levels.take(
      index, time: buffer.time(from: state.queues[index].originOut),
      duration: Int64(clamping: buffer.duration ?? 0), bytes: buffer.size)
    state.queues[index].ledger.held -= 1
    drop(reason, on: index, &state)
    wakeProducers(&state)
  }
}

extension WireGroup {
  /// What comes out of a wire next, as the session's gate sees it.
  func next(on index: Int, _ state: State) -> SessionGate.Next {
    let (store, origin) = (state.queues[index].store, state.queues[index].originOut)
    if store.items.isEmpty { return .nothing }
    if store.items.startsWithEvent {
      // Nothing follows the end of a stream.
      return state.levels.inputs[index].isFinished && store.items.count == 1 ? .end : .event
    }
    let duration = Int64(clamping: store.items.firstDuration)
    let start = store.items.firstTime.map { Int64(clamping: $0).subtractingClamped(origin) }
    return .sample(end: start?.addingClamped(duration), duration: duration)
  }
}
