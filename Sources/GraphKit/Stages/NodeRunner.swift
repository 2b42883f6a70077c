import GStreamer
import GraphKitSystem

/// Runs one Swift node inside its stage: on one thread at a time, called by the node before it.
final class NodeRunner {
  private let node: Cell<any SwiftNode>
  private let name: String
  fileprivate let outputs: NodeOutputs
  /// Of the node, or of each node whose work it does, where anything can change: each would count
  /// references for every sample.
  private let changes: [LiveChanges]
  private var openInputs: Int
  private let context: RunContext
  private let place: StagePlace
  private let number: Int

  init(
    _ node: any SwiftNode, name: String, inputCount: Int, outputs: NodeOutputs,
    changes: [LiveChanges], context: RunContext, place: StagePlace
  ) {
    self.node = Cell(node)
    self.name = name
    self.place = place
    number = place.number(of: name)
    self.outputs = outputs
    self.changes = changes.filter { $0.type.parameters.contains(where: \.isLive) }
    self.context = context
    openInputs = inputCount
  }

  fileprivate func prepare(_ format: FormatDescription, on input: Int) throws {
    try blaming { try node.value.prepare(for: format, on: input, to: outputs) }
  }

  fileprivate func process(_ sample: consuming SampleBuffer, on input: Int) throws {
    var sample = sample
    while changes.contains(where: \.areWaiting), let part = sample.takePart() {
      try handOver(part, on: input)
    }
    try handOver(sample, on: input)
  }

  private func handOver(_ sample: consuming SampleBuffer, on input: Int) throws {
    if !changes.isEmpty { applyChanges(upTo: sample.presentationTime) }
    // A closure can't consume what it captures, but it can empty an optional.
    var pending = Optional(sample)
    try blaming {
      if let sample = pending.take() { try node.value.process(sample, on: input, to: outputs) }
    }
  }

  fileprivate func finish(input: Int) throws {
    if context.gate.isCancelled { throw FlowStopped(flow: Flow.flushing.rawValue) }
    openInputs -= 1
    do {
      try sendingTheRest { try node.value.finish(input: input, to: outputs) }
      guard openInputs == 0 else { return }
      try sendingTheRest { try node.value.finish(to: outputs) }
    } catch {
      if !(error is FlowStopped), context.earlyEnd == nil {
        context.isFailing.store(true, ordering: .relaxed)
      }
      // What follows ends all the same, so that files are closed.
      if openInputs == 0 { try? outputs.finish() }
      throw error
    }
    try outputs.finish()
  }

  /// Has the node send what it held back. Where what follows has had enough, that is no reason not to
  /// end it.
  private func sendingTheRest(_ body: () throws -> Void) throws {
    do { try blaming(body) } catch let stop as FlowStopped where stop.isEnough {}
  }

  private func applyChanges(upTo time: MediaTime) {
    for changes in changes where changes.areWaiting {
      changes.apply(upTo: time) { type, name, value in
        node.value.set(name, to: value, ofNode: changes.node, type: type)
      }
    }
  }

  private func blaming(_ body: () throws -> Void) throws {
    do { try place.calling(number, body) } catch { throw blame(error) }
  }

  private func blame(_ error: any Error) -> any Error {
    // An end of the run is no fault.
    if error is FlowStopped { return error }
    return PipelineFailure(
      node: name, error, remedy: "look at what the node does with its samples")
  }
}

extension NodeRunner {
  /// The end of the wire that leads to one of the node's inputs.
  final class Input: SampleTarget {
    private let runner: NodeRunner
    private let index: Int
    private let counter: WireCounter?
    private let wire: PlanWire
    /// What the port takes.
    private let constraint: FormatConstraint
    /// What the node was prepared for.
    private var format: FormatDescription?
    private var isOpen = true
    /// Whether the node takes no more, or nothing that follows it does.
    private var hasEnough = false
    /// Whether the node has thrown, and gets no further sample of this input.
    private var hasFailed = false

    init(
      _ runner: NodeRunner, index: Int, _ constraint: FormatConstraint, of wire: PlanWire,
      counter: WireCounter?
    ) {
      (self.runner, self.index, self.counter) = (runner, index, counter)
      (self.wire, self.constraint) = (wire, constraint.ofAnySize)
    }

    func announce(_ format: FormatDescription) throws {
      if hasFailed { throw FlowStopped(flow: Flow.error.rawValue) }
      self.format = format
      do {
        guard constraint.takes(format.format) else {
          throw PipelineFailure.foreign(format, on: wire)
        }
        try runner.prepare(format, on: index)
      } catch let stop as FlowStopped where stop.isEnough {
        // The stream ends with its first sample.
        hasEnough = true
      } catch {
        hasFailed = !(error is FlowStopped)
        throw error
      }
    }

    /// As what comes from elements to the first input of a stage leaves it by all outputs.
    func note(_ tags: StreamTags) {
      if index == 0 { runner.outputs.note(tags) }
    }

    func receive(_ sample: consuming SampleBuffer) throws {
      // A node before it may still have samples that it held back.
      if hasEnough { throw FlowStopped.enough }
      if hasFailed { throw FlowStopped(flow: Flow.error.rawValue) }
      // Not all announce what they send.
      if sample.format !== format, format?.caps.isEqual(to: sample.format.caps) != true {
        try announce(sample.format)
        if hasEnough { throw FlowStopped.enough }
      }
      counter?.add(at: sample.start)
      do { try runner.process(sample, on: index) } catch {
        hasEnough = (error as? FlowStopped)?.isEnough == true
        hasFailed = !hasEnough
        throw error
      }
    }

    func finish() throws {
      guard isOpen else { return }
      isOpen = false
      counter?.end()
      try runner.finish(input: index)
    }
  }
}

extension PipelineFailure {
  /// A node sends what the next one of its stage can't read, and its ports don't say so.
  fileprivate static func foreign(_ format: FormatDescription, on wire: PlanWire)
    -> PipelineFailure
  {
    PipelineFailure(
      node: wire.from.node,
      message:
        "it sends \(format), which \(wire.to) doesn't take: the plan has \(wire.format) there",
      remedy: declaringRemedy)
  }
}
