import GStreamer

/// The thread that a pipeline is controlled from: it hears the bus and what callers ask for, moves
/// the state machine, and looks after stalls.
final class RunLoop {
  private let pipeline: Pipeline
  private let bus: Bus?
  private var doctor: StallWatch
  private var progress = ProgressMeter()
  private var streams = StreamWatch()
  private var isOver = false
  /// When the sinks have had long enough to close after a failure.
  private var closingDeadline: ContinuousClock.Instant?

  /// How often the loop looks around, in nanoseconds.
  private static let tick: UInt64 = 50_000_000
  /// How long it doesn't between two messages: each of thousands of elements sends some while it
  /// starts, and to look around is to look at all wires.
  private static let pause = Duration.milliseconds(10)
  private var nextLook = ContinuousClock.now

  init(_ pipeline: Pipeline, bus: Bus?) {
    self.pipeline = pipeline
    self.bus = bus
    doctor = StallWatch(timeout: pipeline.configuration.stallTimeout)
  }

  /// Runs until the end.
  func run() { pipeline.context.asOwnThread(loop) }

  private func loop() {
    while !isOver {
      if let message = bus?.next(within: Self.tick) { hear(message) }
      for input in pipeline.takeInputs() where !isOver { act(on: input) }
      if !isOver, .now >= nextLook {
        nextLook = .now + Self.pause
        lookAround()
      }
    }
  }

  private func hear(_ message: Bus.Message) {
    switch message {
    case .endOfStream: act(on: .sinksEnded)
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
    // "Internal data stream error" only repeats what somebody else has said.
    failure.isEcho = text.hasPrefix("Internal data")
    pipeline.context.fail(failure)
  }

  private func act(on input: PipelineInput) {
    for action in pipeline.advance(input) where !isOver { perform(action) }
  }

  private func perform(_ action: PipelineAction) {
    switch action {
    case .prepare: prepare()
    case .play:
      doctor.reset()
      pipeline.context.gate.setOpen(true)
      if !pipeline.lowered.pipeline.setState(.playing) { failToStart() }
      for loop in pipeline.lowered.loops { loop.start(context: pipeline.context) }
    case .hold:
      pipeline.context.gate.setOpen(false)
      pipeline.lowered.pipeline.setState(.paused)
    case .endSources:
      pipeline.context.isFinishing.store(true, ordering: .relaxed)
      pipeline.lowered.pipeline.send(.endOfStream())
    case .endSinks: endSinks()
    case .tearDown: tearDown()
    }
  }

  /// Says which files have less than they should.
  private func warnOfShortfalls() {
    for node in pipeline.plan.nodes where !node.isInserted {
      let shortfall = node.node.streamSource?.shortfall ?? node.node.piecewiseSource?.shortfall
      guard let text = shortfall else { continue }
      pipeline.context.log.send(.warning(node: node.name, message: text))
    }
  }

  private func prepare() {
    warnOfShortfalls()
    do throws(PipelineFailure) {
      for claim in pipeline.lowered.claims { try claim.open() }
    } catch {
      pipeline.context.fail(error)
      return act(on: .failure)
    }
    if pipeline.lowered.pipeline.setState(.paused) { act(on: .prepared) } else { failToStart() }
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
    guard closingDeadline == nil else { return }
    closingDeadline = .now + .seconds(pipeline.configuration.closingTimeout)
    let queues = pipeline.lowered.sinkQueues
    if queues.isEmpty { return tearDown() }
    for queue in queues { queue.group.finish(queue.index) }
  }

  private func lookAround() {
    let state = pipeline.state
    if let deadline = closingDeadline, .now > deadline { return tearDown() }
    guard state == .running || state == .finishing else { return doctor.reset() }
    pipeline.leaveOutStarved()
    progress.report(pipeline)
    guard closingDeadline == nil else { return }
    if state == .running, let gone = streams.failure(pipeline.lowered.streams) {
      return pipeline.context.fail(gone)
    }
    guard doctor.isStalled(progress: pipeline.movedSamples) else { return }
    pipeline.context.fail(StallDoctor.failure(pipeline.wireSnapshots(), doctor.timeout))
  }

  private func tearDown() {
    isOver = true
    pipeline.tearDown()
    pipeline.settle()
    pipeline.finishFiles()
    pipeline.compareFiles()
    for claim in pipeline.lowered.claims {
      claim.release(isComplete: pipeline.state == .completed)
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
