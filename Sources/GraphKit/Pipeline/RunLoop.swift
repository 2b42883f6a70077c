import GStreamer
import GraphKitSystem

/// The thread that a pipeline is controlled from: it hears the bus and what callers ask for, moves
/// the state machine, and looks after stalls.
final class RunLoop {
  private let storage: PipelineStorage
  private let bus: Bus?
  private var supervision: Supervision
  private var progress = ProgressMeter()
  private var streams = StreamWatch()
  private var isOver = false
  private var standstill = Standstill()
  private var awaited = AwaitedTime()
  private var starvation: Starvation
  private var growth: QueueGrowth
  private var economy: Economy
  private var readers: ReaderWatch
  /// Whether the pipeline's clock shows how long it has played.
  private var isPlaying = false
  private var ends = SinkEnds()
  /// What was asked for before everything was made.
  private var early: [PipelineInput] = []
  /// How the sinks come to their end after a failure.
  private var closing: Closing?

  /// How often the loop looks around, in nanoseconds.
  private static let tick: UInt64 = 50_000_000
  /// How long it doesn't between two messages: each of thousands of elements sends some while it
  /// starts, and to look around is to look at all wires.
  private static let pause = Duration.milliseconds(10)
  private var nextLook = ContinuousClock.now

  init(_ storage: PipelineStorage, bus: Bus?) {
    self.storage = storage
    self.bus = bus
    supervision = Supervision(stallTimeout: storage.configuration.stallTimeout)
    starvation = Starvation(storage)
    readers = ReaderWatch(storage)
    growth = QueueGrowth(storage)
    economy = Economy(
      storage.plan, storage.lowered, log: storage.context.log,
      rule: storage.configuration.economyRule)
  }

  /// Runs until the end.
  func run() { ProcessTime.share { storage.context.asOwnThread(loop) } }

  private func loop() {
    while !isOver {
      if let message = bus?.next(within: Self.tick) { hear(message) }
      if let seconds = standstill.end() { goOn(after: seconds) }
      for input in storage.takeInputs() where !isOver { take(input) }
      if isPlaying, ends.areAll(of: storage.lowered.pipeline) { act(on: .sinksEnded) }
      if !isOver, .now >= nextLook {
        nextLook = .now + Self.pause
        lookAround()
      }
    }
  }

  private func hear(_ message: Bus.Message) {
    switch message {
    case .sinkEnded(let element): ends.note(element)
    case .error(let element, let text, let debug): hear(error: text, debug, from: element)
    case .warning(let element, let text, _):
      let node = storage.lowered.owners[element]
      storage.context.log.send(.warning(node: node, message: text))
    default: break
    }
  }

  private func hear(error text: String, _ debug: String, from element: String) {
    if let claim = storage.lowered.claims.first(where: { $0.element?.name == element }) {
      return storage.context.fail(claim.failure(text, debug))
    }
    // "Internal data stream error" only repeats what another element has reported.
    let isEcho = text.hasPrefix("Internal data")
    let node = storage.owner(of: element)
    var failure =
      isEcho && debug.contains("not-negotiated")
      ? .refusedOnTheWay(of: node, detail: debug)
      : PipelineFailure(
        node: node, message: text.trimmingFullStop,
        remedy: "see the detail: \(debug.lastLine)", detail: debug)
    // A reader that none of its streams is wanted of ends with that alone.
    let isUnlinked = debug.contains("not-linked")
    let awaited = storage.lowered.streams.first { isUnlinked && $0.element.name == element }
    if let gone = awaited?.failure { return storage.context.fail(gone) }
    failure.isEcho = isEcho
    storage.context.fail(failure)
  }

  /// Nothing could move while the process was stopped, which is no node's fault.
  private func goOn(after seconds: Double) {
    supervision.restartAfterStandstill()
    growth.restart()
    readers.restart()
    if storage.state == .running { storage.warnOfStandstill(seconds) }
  }

  private func take(_ input: PipelineInput) {
    if isEarly(input) { return early.append(input) }
    switch input {
    case .refused: failToStart()
    case .played: isPlaying = storage.state != .paused
    case .failure where storage.state == .preparing && storage.movedSamples > 0:
      // What has come through already is written, as it is after a failure later on.
      act(on: .prepared)
      act(on: .failure)
    default: act(on: input)
    }
    guard input == .prepared else { return }
    for input in early where !isOver { act(on: input) }
    early = []
  }

  /// Whether what is asked for has to wait until everything is made. What a program has brought by then
  /// is written; where there is nothing of the kind, a run that is to finish before it has begun is
  /// cancelled.
  private func isEarly(_ input: PipelineInput) -> Bool {
    guard storage.state == .idle || storage.state == .preparing else { return false }
    return switch input {
    case .pause, .resume: true
    case .finish: !storage.lowered.inputs.isEmpty
    default: false
    }
  }

  private func act(on input: PipelineInput) {
    for action in storage.advance(input) where !isOver { perform(action) }
  }

  private func perform(_ action: PipelineAction) {
    switch action {
    case .prepare: prepare()
    case .play:
      supervision.restart()
      growth.restart()
      readers.restart()
      storage.context.log.active.run()
      storage.context.gate.setOpen(true)
      play()
    case .hold:
      // Its clock shows the time of the pause, too, until it plays again.
      isPlaying = false
      storage.context.log.active.pause()
      storage.context.gate.setOpen(false)
      storage.states.perform { [lowered = storage.lowered] in lowered.pipeline.setState(.paused) }
    case .endSources:
      for group in storage.lowered.groups { group.endTogether() }
      endSources()
    case .endSinks: endSinks()
    case .tearDown: tearDown()
    }
  }

  /// Says which files have less than they should.
  private func warnOfShortfalls() {
    for node in storage.plan.nodes where !node.isInserted {
      guard let text = node.node.fileShortfall else { continue }
      storage.context.log.send(.warning(node: node.name, message: text))
    }
  }

  private func prepare() {
    warnOfShortfalls()
    supervision.restart()
    storage.states.perform { [storage] in
      do throws(PipelineFailure) {
        guard try storage.runFirstPass() else { return }
        for claim in storage.lowered.claims { try claim.open() }
        let isThere = storage.lowered.pipeline.setState(.paused)
        storage.send(isThere ? .prepared : .refused)
      } catch {
        storage.context.fail(error)
      }
    }
  }

  private func play() {
    storage.states.perform { [storage] in
      let isThere = storage.lowered.pipeline.setState(.playing)
      storage.send(isThere ? .played : .refused)
      for loop in storage.lowered.loops { loop.start(context: storage.context) }
    }
  }

  /// Once: a source (1.22) that has an end to send and is sent another may push an event that isn't there.
  private func endSources() {
    guard !storage.context.isFinishing.exchange(true, ordering: .relaxed) else { return }
    storage.states.perform { [lowered = storage.lowered] in lowered.pipeline.endSources() }
  }

  /// An element refused its state: its error is on the bus.
  private func failToStart() {
    hearErrors(within: Self.tick) { storage.context.failure == nil }
    storage.context.fail(
      PipelineFailure(
        node: nil, message: "the pipeline could not start",
        remedy: "check the devices and files that it names"))
    act(on: .failure)
  }

  /// Hears what elements have complained of, while that is wanted.
  private func hearErrors(within nanoseconds: UInt64, while isWanted: () -> Bool) {
    while isWanted(), let message = bus?.next(within: nanoseconds) {
      if case .error(let element, let text, let debug) = message {
        hear(error: text, debug, from: element)
      }
    }
  }

  /// After a failure the sinks still get an end, so that what was written can be read.
  private func endSinks() {
    guard closing == nil else { return }
    // The only sink is where the failure was, or follows it.
    if storage.lowered.sinkQueues.isEmpty, storage.plan.ends.count < 2 { return tearDown() }
    let begun = Closing(storage)
    closing = begun
    endSources()
    begun.endStarved()
  }

  private func lookAround() {
    let state = storage.state
    if closing?.isOver() == true { return tearDown() }
    for claim in storage.lowered.claims { claim.noteSize() }
    let isAwaiting = storage.isAwaitingInput
    awaited.look(isAwaiting)
    if state == .running || state == .paused, let reason = storage.context.earlyEnd {
      storage.context.log.send(.warning(node: reason.node, message: reason.message))
      act(on: .finish)
    }
    if isPlaying, state == .running || state == .finishing {
      if starvation.isOver(progress: storage.movedSamples, isAwaiting: isAwaiting) {
        storage.leaveOutStarved(awaited: awaited.waitedNanoseconds)
      }
      growth.look(at: storage, isAwaiting: isAwaiting)
      progress.report(storage)
      if state == .running { economy.look() }
    }
    if closing == nil { supervise(state) }
  }

  /// Fails the run where a stream is gone for good, or nothing moves any more.
  private func supervise(_ state: PipelineState) {
    if state == .running, let gone = streams.failure(storage.lowered.streams) {
      return storage.context.fail(gone)
    }
    // How long that may take, the file or the source knows.
    if state != .finishing, storage.isAwaitingNetwork || storage.isInFirstPass {
      supervision.restart()
    }
    if state != .paused, readers.isAwaited {
      supervision.restartAfterStandstill()
      if let warning = readers.warning(progress: storage.movedSamples) {
        storage.context.log.send(.warning(node: warning.node, message: warning.message))
      }
    }
    switch supervision.look(at: state, progress: storage.movedSamples) {
    case .nothing: break
    case .unended: storage.context.fail(StallDoctor.unended(storage.wireSnapshots()))
    case .stalled(let seconds):
      storage.context.fail(StallDoctor.failure(storage.wireSnapshots(), seconds))
    }
  }

  private func tearDown() {
    isOver = true
    storage.context.log.active.stop()
    // What an element says of itself says more than what another one made of it.
    hearErrors(within: 0) { storage.context.failure?.isEcho == true }
    for claim in storage.lowered.claims { claim.noteEnd(haveAllEnded: ends.wereAll) }
    let isStopped = storage.stop()
    storage.stopTime()
    storage.flush()
    if !storage.state.isEnd { storage.markFailed() }
    storage.findDamage()
    storage.finishFiles(areThreadsStopped: isStopped)
    storage.bookUnread()
    storage.compareFiles()
    storage.failEndedEarly()
    storage.releaseFiles(areThreadsStopped: isStopped)
    storage.conclude()
    bus?.close()
  }
}

extension String {
  var trimmingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

  /// The last line: of GStreamer's debug text the one that says most.
  var lastLine: String { split(separator: "\n").last.map(String.init) ?? self }
}
