import GStreamer
import GraphKitSystem

/// The queues of all inputs of one sink, behind one lock, since each one's readiness depends on
/// the others. A wire that leads to a node with a single input is a group of one.
final class WireGroup: Sendable {
  /// When the samples of a wire are handed on, and by which thread.
  enum Delivery: Sendable {
    /// The wire's own thread is woken for each.
    case each
    /// It is woken for several at once, or where a producer of the group waits: the wire leads from one
    /// file into another, and nothing depends on when a sample gets there.
    case batched
    /// The producer's thread hands them on itself: what they lead to never waits.
    case direct
  }

  /// One wire of the group.
  struct Wire: Sendable {
    let from: PortReference
    let to: PortReference
    /// The wire as people name it.
    let name: String
    let policy: QueuePolicy
    /// What ends the wire before its source does.
    let limit: LimitGate?
    /// What the wire has to do with the start of the sink's session.
    let session: SessionGate.Input
    /// Whether it leads to previews alone, beside what is recorded: no other node depends on it.
    let isAside: Bool
    let delivery: Delivery
    /// Wires of lower turns come first; `nil` where all are taken side by side.
    let turn: Int?
    /// Whether it ends with others of its group where the run is asked to end.
    let endsTogether: Bool
    /// What leaves frames out where the graph can't keep up.
    let thinners: [FrameThinner]

    init(
      from: PortReference, to: PortReference, policy: QueuePolicy, limit: LimitGate? = nil,
      session: SessionGate.Input = SessionGate.Input(), isAside: Bool = false,
      delivery: Delivery = .each, turn: Int? = nil, endsTogether: Bool = false,
      thinners: [FrameThinner] = []
    ) {
      (self.from, self.to, self.policy) = (from, to, policy)
      (self.limit, self.session, self.isAside) = (limit, session, isAside)
      (self.delivery, self.turn, self.endsTogether) = (delivery, turn, endsTogether)
      self.thinners = thinners
      name = "\(from) -> \(to)"
    }
  }

  /// A queue and all that is known of it; inside the group's lock alone.
  struct Queue {
    let store = Store()
    /// What a preview's wire held when the run ended: who watches still finds it.
    let remains = Store()
    var ledger = WireLedger()
    /// How its threads spend the run.
    var times = WireTimes()
    /// What ends the wire before its source does.
    var limit: LimitGate?
    /// The sink goes on without the input.
    var isLeftOut = false
    /// The pipeline is stopping: nothing may block.
    var isFlushing = false
    /// When the last sample begins that a program handed in.
    var lastEntered: Int64?
    /// What became of the last push downstream; anything but ok stops the wire.
    var flow = Flow.ok
    /// The timestamp of running time zero for the buffers that come in, and for those that go out.
    var originIn: Int64 = 0
    var originOut: Int64 = 0
    /// What the producer waits for at this moment.
    var blockedBy: Readiness.Cause?
    /// Whether the consumer waits for a sample at this moment.
    var isConsumerWaiting = false
    /// Since when it does.
    var waitsSince: ContinuousClock.Instant?
    /// Since when the producer waits until the wire is ready.
    var blockedSince: ContinuousClock.Instant?
    /// Whether the consumer's thread hands on what it has taken last, of a wire that has a turn.
    var isHandling = false
    /// Whether a producer's thread hands on what the wire holds.
    var isDelivering = false
    /// Swift code that waits for readiness, or for a sample; each is called once.
    var producers: [@Sendable () -> Void] = []
    var consumers: [@Sendable () -> Void] = []
  }

  /// A queue's items: held by reference, since an array can't hold what can't be copied.
  final class Store { var items = ItemQueue() }

  struct State {
    /// How full the wires are, and so which of them is ready.
    var levels: Readiness
    var queues: [Queue]
    var session: SessionGate
    var commonEnd: CommonEnd
    /// What is done once the lock is given back.
    var deferred = Deferred()
  }

  let wires: [Wire]
  /// Whether the consumer of one wire may be held up until there is something on another, as a
  /// multiplexer's inputs are. A stage keeps what its nodes can't use yet, and takes more.
  let waitsInside: Bool
  let monitor: Monitor<State>
  let log: RunLog

  init(_ wires: [Wire], waitsInside: Bool = false, log: RunLog) {
    self.wires = wires
    self.waitsInside = waitsInside
    self.log = log
    monitor = Monitor(
      State(
        levels: Readiness(wires.map(\.policy), turns: wires.compactMap(\.turn)),
        queues: wires.map { Queue(limit: $0.limit) },
        session: SessionGate(wires.map(\.session)),
        commonEnd: CommonEnd(wires.map(\.endsTogether))))
  }

  // MARK: The producer's side

  /// Puts a buffer on a wire: waits until the wire is ready, or drops where its policy says so.
  func offer(_ buffer: consuming Buffer, on index: Int) -> Flow {
    var buffer = buffer
    let runningTime = decidedTime(of: &buffer, on: index)
    let time = buffer.presentationTime
    let isSpared = !wires[index].thinners.allSatisfy { $0.keeps(time) }
    // A closure can't consume what it captures, but it can empty an optional.
    var pending = Optional(buffer)
    var isCounted = false
    var start: ContinuousClock.Instant?
    return attempt { state in
      if !isCounted { state.queues[index].ledger.samplesIn += 1 }
      isCounted = true
      var flow = Flow.ok
      switch admission(of: runningTime, isSpared: isSpared, on: index, &state) {
      case .refused(let reason): flow = reason
      case .room: if let buffer = pending.take() { append(buffer, on: index, &state) }
      case .wait(let cause):
        if start == nil { start = beginWait(for: cause, on: index, &state) }
        state.queues[index].blockedBy = cause
        return nil
      }
      endWait(since: start, on: index, &state)
      return flow
    }
  }

  /// What becomes of a sample that comes.
  private enum Admission {
    case room, wait(Readiness.Cause)
    /// It was dropped; this is the producer's answer.
    case refused(Flow)
  }

  private func admission(
    of runningTime: Int64?, isSpared: Bool, on index: Int, _ state: inout State
  ) -> Admission {
    while true {
      if let flow = stopped(index, &state) { return .refused(flow) }
      if state.queues[index].limit?.isReached(by: runningTime) == true {
        return .refused(reachLimit(index, &state))
      }
      if isSpared {
        drop(.whenSlow, on: index, &state)
        return .refused(.ok)
      }
      if wires[index].delivery == .direct { return .room }
      guard let cause = state.levels.cause(of: index) else { return .room }
      if makesRoom(on: index, &state) { continue }
      guard wires[index].policy.dropsWhenNotReady else { return .wait(cause) }
      drop(cause.dropReason, on: index, &state)
      return .refused(.ok)
    }
  }

  /// Why nothing can be put on a wire any more, with the sample booked as dropped.
  private func stopped(_ index: Int, _ state: inout State) -> Flow? {
    // Fields one by one: a copy of the queue would count references for each sample.
    if state.queues[index].isLeftOut {
      drop(.inputLeftOut, on: index, &state)
      return .ok
    }
    let (isFlushing, flow) = (state.queues[index].isFlushing, state.queues[index].flow)
    guard isFlushing || flow != .ok else { return nil }
    drop(.runEnded, on: index, &state)
    return isFlushing ? .flushing : flow
  }

  /// What became of a sample that was offered without waiting.
  enum Offer: Hashable { case taken, notReady, closed, isBefore(Int64) }

  /// Puts a buffer on a wire that is ready; nothing changes where it isn't, where the wire takes no
  /// more, and where `time` is before that of the last buffer which came so.
  func offerIfReady(_ buffer: borrowing Buffer, at time: Int64? = nil, on index: Int) -> Offer {
    locked { state in
      guard isOpen(index, state) else { return .closed }
      if let time, let last = state.queues[index].lastEntered, time < last {
        return .isBefore(last)
      }
      guard state.levels.cause(of: index) == nil else { return .notReady }
      if let time { state.queues[index].lastEntered = time }
      state.queues[index].ledger.samplesIn += 1
      append(buffer.share(), on: index, &state)
      return .taken
    }
  }

  func isOpen(_ index: Int, _ state: State) -> Bool {
    let queue = state.queues[index]
    return !queue.isFlushing && queue.flow == .ok && !queue.isLeftOut
      && !state.levels.inputs[index].isFinished
  }

  private func append(_ buffer: consuming Buffer, on index: Int, _ state: inout State) {
    let isFirst = state.levels.inputs[index].first == nil
    noteForCommonEnd(buffer, on: index, &state)
    state.levels.append(
      index, time: buffer.time(from: state.queues[index].originIn),
      duration: Int64(clamping: buffer.duration ?? 0), bytes: buffer.size)
    state.queues[index].store.items.append(buffer)
    if isFirst, let first = state.levels.inputs[index].first {
      if state.queues[index].limit?.begin(at: first) == true { wakeLimit(index, &state) }
      state.session.begin(index, at: first)
    }
    state.queues[index].ledger.note(state.levels.inputs[index])
    if !wires[index].isAside { log.advance() }
    if isWorthTaking(index, state) { wakeConsumer(index, &state) }
    wakeNeighbours(of: index, &state)
    if isFirst { wakeForSession(index, &state) }
    wakeForCommonEnd(index, &state)
    if state.queues.count > 1 { wakeProducers(&state) }
  }

  /// Puts an event on a wire, after the samples before it. An event never waits.
  func enqueue(_ event: consuming Event, on index: Int) {
    var pending = Optional(event)
    locked { state in
      guard let event = pending.take() else { return }
      if event.isEndOfStream {
        state.queues[index].times.noteEnd(at: log.active.now)
        // The session's limit may have ended the wire before its source does.
        if state.levels.inputs[index].isFinished { return }
        endInput(index, &state)
        wakeForSession(index, &state)
      }
      if let origin = event.segmentOrigin { state.queues[index].originIn = origin }
      state.queues[index].store.items.append(event)
      wakeConsumer(index, &state)
      wakeProducers(&state)
    }
  }

  // MARK: The consumer's side

  /// The next item of a wire; waits for one. `nil` where the pipeline is stopping, or where the
  /// sink goes on without the input.
  func take(_ index: Int) -> Item? {
    if wires[index].turn != nil { noteHandled(index) }
    let taken: Taken = attempt(aroundWait: { noteWait(of: index, begins: $1, &$0) }) { state in
      if state.queues[index].isFlushing { return .nothing }
      if isInTurn(index, state), mayTake(index, &state), let item = takeFirst(index, &state) {
        noteWork(on: index, &state)
        state.queues[index].isHandling = wires[index].turn != nil
        return .item(item)
      }
      return state.queues[index].isLeftOut ? .nothing : nil
    }
    switch consume taken {
    case .item(let item): return item
    case .nothing: return nil
    }
  }

  private enum Taken: ~Copyable { case item(Item), nothing }

  /// The next item of a wire that is handed on by its producers' threads, for the one of them that
  /// does it; `nil` where there is nothing more, or another thread does it: that sees what has come
  /// meanwhile.
  func takeDirectly(_ index: Int, isFirst: Bool) -> Item? {
    var found: Item?
    locked { state in
      if isFirst, state.queues[index].isDelivering { return }
      found = state.queues[index].isFlushing ? nil : takeFirst(index, &state)
      state.queues[index].isDelivering = found != nil
    }
    return found
  }

  func takeFirst(_ index: Int, _ state: inout State) -> Item? {
    guard let item = state.queues[index].store.items.popFirst() else { return nil }
    defer { wakeNeighbours(of: index, &state) }
    switch consume item {
    case .event(let event):
      if let origin = event.segmentOrigin { state.queues[index].originOut = origin }
      return .event(event)
    case .buffer(let buffer):
      state.levels.take(
        index, time: buffer.time(from: state.queues[index].originOut),
        duration: Int64(clamping: buffer.duration ?? 0), bytes: buffer.size)
      state.queues[index].ledger.samplesOut += 1
      state.queues[index].ledger.held -= 1
      if !wires[index].isAside { log.advance() }
      wakeProducers(&state)
      return .buffer(buffer)
    }
  }

  /// Downstream won't take more: the producer on this wire learns it with the next sample. What is
  /// held is counted as dropped.
  func stop(_ index: Int, flow: Flow) {
    locked { state in
      state.queues[index].flow = flow
      noteRest(on: index, &state)
      endInput(index, &state)
      passTurn(of: index, &state)
      discardHeld(index, .runEnded, &state)
      wakeAll(&state)
    }
  }

  /// Starts or stops a wire with its pipeline; after a stop nothing blocks on it.
  func setFlushing(_ isFlushing: Bool, on index: Int) {
    locked { state in
      state.queues[index].isFlushing = isFlushing
      if isFlushing { discardHeld(index, .runEnded, &state) }
      wakeAll(&state)
    }
    // After the wire has stopped, or a sample that waited for the limit would still get onto it.
    wires[index].limit?.release(isFlushing)
    wires[index].limit?.wake()
  }

  /// Goes on without an input that never had a sample.
  func leaveOut(_ index: Int) {
    locked { state in
      state.queues[index].isLeftOut = true
      endInput(index, &state)
      wakeAll(&state)
    }
  }
}

extension Buffer {
  /// The running time that orders buffers on a wire: when they are decoded, where that is known.
  func time(from origin: Int64) -> Int64? {
    (decodeTime ?? presentationTime).map { Int64(clamping: $0).subtractingClamped(origin) }
  }
}
