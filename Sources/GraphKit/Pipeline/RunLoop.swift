import GStreamer

/// The thread that a pipeline is controlled from: it hears the bus and what callers ask for, moves
/// the state machine, and looks after stalls.
final class RunLoop {
  private let pipeline: Pipeline
  private let bus: Bus?
  /// Whether a run that goes on still gets anywhere.
  private var running: ProgressWatch
  private var progress = ProgressMeter()
  private var streams = StreamWatch()
  private var isOver = false
  /// Whether a run that was asked to end still gets anywhere.
  private var finishing = ProgressWatch(.rest(0.5))
  private var standstill = Standstill()
  /// Whether the pipeline's clock shows how long it has played.
  private var isPlaying = false
  private var haveSinksEnded = false
  /// How the sinks come to their end after a failure.
  private var closing: Closing?

  /// How often the loop looks around, in nanoseconds.
  private static let tick: UInt64 = 50_000_000
  /// How long it doesn't between two messages: each of thousands of elements sends some while it
  /// starts, and to look around is to look at all wires.
  private static let pause = Duration.milliseconds(10)
  private var nextLook = ContinuousClock.now

  init(_ pipeline: Pipeline, bus: Bus?) {
    self.pipeline = pipeline
    self.bus = bus
    running = ProgressWatch(.stall(pipeline.configuration.stallTimeout))
  }

  /// Runs until the end.
  func run() { pipeline.context.asOwnThread(loop) }

  private func loop() {
    while !isOver {
      if let message = bus?.next(within: Self.tick) { hear(message) }
      if let seconds = standstill.end() { goOn(after: seconds) }
      for input in pipeline.takeInputs() where !isOver { take(input) }
      if !isOver, .now >= nextLook {
        nextLook = .now + Self.pause
        lookAround()
      }
    }
  }

  private func hear(_ message: Bus.Message) {
    switch message {
    case .endOfStream:
      haveSinksEnded = true
      act(on: .sinksEnded)
    case .error(let element, let text, let debug): hear(error: text, debug, from: element)
    case .warning(let element, let text, _):
      let node = pipeline.lowered.owners[element]
      pipeline.context.log.send(.warning(node: node, message: text))
    default: break
    }
  }

  private func hear(error text: String, _ debug: String, from element: String) {
    if let claim = pipeline.lowered.claims.first(where: { $0.element.name == element }) {
      return pipeline.context.fail(claim.failure(text, debug))
    }
    var failure = PipelineFailure(
      node: pipeline.owner(of: element), message: text.trimmingFullStop,
      remedy: "see the detail: \(debug.lastLine)", detail: debug)
    // A reader that none of its streams is wanted of ends with that alone.
    let isUnlinked = debug.contains("not-linked")
    let awaited = pipeline.lowered.streams.first { isUnlinked && $0.element.name == element }
    if let gone = awaited?.failure { return pipeline.context.fail(gone) }
    // "Internal data stream error" only repeats what another element has reported.
    failure.isEcho = text.hasPrefix("Internal data")
    pipeline.context.fail(failure)
  }

  /// Nothing could move while the process was stopped, which is no node's fault.
  private func goOn(after seconds: Double) {
    running.reset()
    finishing.reset()
    if pipeline.state == .running { pipeline.warnOfStandstill(seconds) }
  }

  private func take(_ input: PipelineInput) {
    switch input {
    case .refused: failToStart()
    case .played: isPlaying = true
    default: act(on: input)
    }
  }

  private func act(on input: PipelineInput) {
    for action in pipeline.advance(input) where !isOver { perform(action) }
  }

  private func perform(_ action: PipelineAction) {
    switch action {
    case .prepare: prepare()
    case .play:
      running.reset()
      pipeline.context.gate.setOpen(true)
      play()
    case .hold:
      pipeline.context.gate.setOpen(false)
      pipeline.states.perform { [lowered = pipeline.lowered] in lowered.pipeline.setState(.paused) }
    case .endSources: endSources()
    case .endSinks: endSinks()
    case .tearDown: tearDown()
    }
  }

  /// Says which files have less than they should.
  private func warnOfShortfalls() {
    for node in pipeline.plan.nodes where !node.isInserted {
      guard let text = node.node.fileShortfall else { continue }
      pipeline.context.log.send(.warning(node: node.name, message: text))
    }
  }

  private func prepare() {
    warnOfShortfalls()
    running.reset()
    pipeline.states.perform { [pipeline] in
      do throws(PipelineFailure) {
        for claim in pipeline.lowered.claims { try claim.open() }
        let isThere = pipeline.lowered.pipeline.setState(.paused)
        pipeline.send(isThere ? .prepared : .refused)
      } catch {
        pipeline.context.fail(error)
      }
    }
  }

  private func play() {
    pipeline.states.perform { [pipeline] in
      let isThere = pipeline.lowered.pipeline.setState(.playing)
      pipeline.send(isThere ? .played : .refused)
      for loop in pipeline.lowered.loops { loop.start(context: pipeline.context) }
    }
  }

  private func endSources() {
    pipeline.context.isFinishing.store(true, ordering: .relaxed)
    pipeline.states.perform { [lowered = pipeline.lowered] in lowered.pipeline.endSources() }
  }

  /// An element refused its state: its error is on the bus.
  private func failToStart() {
    while pipeline.context.failure == nil, let message = bus?.next(within: Self.tick) {
      if case .error(let element, let text, let debug) = message {
        hear(error: text, debug, from: element)
      }
    }
    pipeline.context.fail(
      PipelineFailure(
        node: nil, message: "the pipeline could not start",
        remedy: "check the devices and files that it names"))
    act(on: .failure)
  }

  /// After a failure the sinks still get an end, so that what was written can be read.
  private func endSinks() {
    guard closing == nil else { return }
    // The only sink is where the failure was, or follows it.
    if pipeline.lowered.sinkQueues.isEmpty, pipeline.plan.ends.count < 2 { return tearDown() }
    let begun = Closing(pipeline)
    closing = begun
    endSources()
    begun.endStarved()
  }

  private func lookAround() {
    let state = pipeline.state
    if closing?.isOver() == true { return tearDown() }
    for claim in pipeline.lowered.claims { claim.noteSize() }
    if state == .running || state == .finishing {
      if isPlaying {
        pipeline.leaveOutStarved()
        progress.report(pipeline)
      }
    } else if state != .preparing {
      return running.reset()
    }
    guard closing == nil else { return }
    if state == .running, let gone = streams.failure(pipeline.lowered.streams) {
      return pipeline.context.fail(gone)
    }
    if state == .finishing, finishing.isAtRest(progress: pipeline.movedSamples) {
      return pipeline.context.fail(StallDoctor.unended(pipeline.wireSnapshots()))
    }
    guard running.isAtRest(progress: pipeline.movedSamples) else { return }
    pipeline.context.fail(StallDoctor.failure(pipeline.wireSnapshots(), running.rule.time))
  }

  private func tearDown() {
    isOver = true
    for claim in pipeline.lowered.claims { claim.noteEnd(haveAllEnded: haveSinksEnded) }
    let isStopped = pipeline.stop()
    pipeline.stopTime()
    pipeline.settle()
    if !pipeline.state.isEnd { pipeline.markFailed() }
    pipeline.findDamage()
    pipeline.finishFiles()
    pipeline.bookUnread()
    pipeline.compareFiles()
    for claim in pipeline.lowered.claims {
      // A thread that was given up might write to the next file that gets the descriptor.
      if isStopped || claim.isWhole {
        claim.release(isComplete: pipeline.state == .completed)
      } else {
        claim.abandon()
      }
    }
    pipeline.conclude()
    bus?.close()
  }
}

extension String {
  var trimmingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

  /// The last line: of GStreamer's debug text the one that says most.
  var lastLine: String { split(separator: "\n").last.map(String.init) ?? self }
}
