import GStreamer

/// Where a node sends its samples: one target for each output port, in order of declaration.
///
/// Belongs to one node and is used on that node's streaming thread alone, inside its calls. Outputs
/// are numbered from 0 as ``Node/portDeclarations`` lists them; there is none beyond ``count``.
public final class NodeOutputs {
  private let targets: [any SampleTarget]
  /// The names of their ports, for messages.
  private let names: [String]
  private let onWarning: (String) -> Void
  private let run: SourceRun
  private let onMeasurement: ([String: JSONValue]) -> Void
  /// The first of them, which most nodes have alone: an array would have to be asked each time.
  private let first: (any SampleTarget)?
  private var hasFinished: [Bool]
  /// Of several outputs those of which nothing takes more.
  private var hasEnough: [Bool]

  package init(
    _ targets: [any SampleTarget], names: [String] = [], run: SourceRun = .alone,
    onWarning: @escaping (String) -> Void = { _ in },
    onMeasurement: @escaping ([String: JSONValue]) -> Void = { _ in }
  ) {
    (self.targets, self.names) = (targets, names)
    self.run = run
    self.onWarning = onWarning
    self.onMeasurement = onMeasurement
    first = targets.first
    hasFinished = targets.map { _ in false }
    hasEnough = targets.map { _ in false }
  }

  /// The number of output ports.
  public var count: Int { targets.count }

  /// Whether anything follows an output.
  public func isWired(_ output: Int) -> Bool {
    targets.indices.contains(output) && !(targets[output] is NoTarget)
  }

  /// Says what the samples that follow on an output are: before the first of them, and again before
  /// the first of another format; to send a sample of another format says it, too. Throws what the nodes that follow in the same stage throw, and where
  /// there is no such output.
  public func announce(_ format: FormatDescription, on output: Int) throws {
    try target(output).announce(format)
  }

  /// Whether an output takes a sample at once.
  package func isReady(_ output: Int) -> Bool { targets[output].isReady }

  /// Calls `body` once, when an output takes a sample at once, on any thread.
  package func whenReady(_ output: Int, _ body: @escaping @Sendable () -> Void) {
    targets[output].whenReady(body)
  }

  /// Says what the stream of an output says of itself, or its file does: after its first format.
  package func note(_ tags: StreamTags, on output: Int) { targets[output].note(tags) }

  /// The same for each output: what the first input of a node says is true of what it makes of it.
  func note(_ tags: StreamTags) { for target in targets { target.note(tags) } }

  /// Sends a sample on, which then belongs to the consumer. Returns when that has taken it, which may
  /// take as long as a wire isn't ready for more: nodes of the same stage work on it in this call.
  /// Throws ``FlowStopped`` where the run is ending or nothing downstream takes more, what a node of the
  /// same stage throws, and an error where raw audio isn't of whole frames, a frame of video lacks
  /// bytes, or the time that was set is none that samples have. A node lets all of it through. Of
  /// several outputs one of which nothing takes more is passed over while others go on.
  public func send(_ sample: consuming SampleBuffer, on output: Int = 0) throws {
    if run.isCancelled() { throw FlowStopped(flow: Flow.flushing.rawValue) }
    if sample.byteCount % sample.format.unit != 0 { throw NodeError.partOfFrame(sample) }
    if sample.byteCount < sample.format.frameSize { try sample.checkSize() }
    let target = try output == 0 ? first ?? target(0) : target(output)
    if sample.hasOddTime { throw oddTime(output) }
    if takesMore(output) {
      do { return try target.receive(sample) } catch let stop as FlowStopped where stop.isEnough {
        hasEnough[output] = true
      }
    }
    let isOver = targets.indices.allSatisfy { hasEnough[$0] || targets[$0] is NoTarget }
    if isOver { throw FlowStopped.enough }
  }

  /// Whether something may take more of an output, as far as sending has shown.
  package func takesMore(_ output: Int) -> Bool { !hasEnough[output] }

  private func target(_ output: Int) throws(NodeError) -> any SampleTarget {
    guard targets.indices.contains(output) else {
      throw NodeError(
        "the node sends on output \(output), and has \(targets.count)",
        remedy: "number outputs from 0, in the order of `portDeclarations`")
    }
    return targets[output]
  }

  private func oddTime(_ output: Int) -> NodeError {
    let port = names.indices.contains(output) ? "`\(names[output])`" : "output \(output)"
    return NodeError(
      "a sample for \(port) has a `presentationTime` that is infinite, or more than 292 years from zero",
      remedy: "give it a time of the stream, or `.invalid` where none is known")
  }

  /// Warns the user of the run, in one sentence; the run goes on. Events and the report have it with
  /// the node's name.
  public func warn(_ message: String) { onWarning(message) }

  /// How long the run has played, pauses left out: the time at which a live source takes a sample that
  /// comes now.
  public var runTime: MediaTime { run.time() ?? .zero }

  /// Says that the node works though nothing leaves it, as one does that goes through all of its audio
  /// once more before it sends the first of it. A run in which nothing moves for long counts as stalled
  /// otherwise. To be called for each block. Throws ``FlowStopped`` where the run is ending.
  public func noteWork() throws {
    run.advance()
    if run.isStopped() { throw FlowStopped(flow: Flow.flushing.rawValue) }
  }

  /// Whether the run has been stopped: what waits for its time waits no more.
  package var isStopped: Bool { run.isStopped() }

  /// Whether the run has failed, so that what has come isn't all that should have: a node that writes a
  /// file as a whole then leaves what was there. Of a run that ended early in order it isn't so.
  public var hasRunFailed: Bool { run.hasFailed() }

  /// Reports what has become of a node's connection over a network. Events and the report have it.
  public func report(_ change: ConnectionChange) { run.report(change) }

  /// Says whether a source waits for what it is connected to, and how long that may take: nothing can
  /// come meanwhile, which is no stall.
  public func setAwaiting(_ isAwaiting: Bool) { run.await(isAwaiting) }

  /// Ends the run in order, as if its sources had, and makes it a failed one at its end: what was written
  /// is whole.
  public func endRun(_ reason: NodeError) { run.end(reason) }

  /// Says that the node has failed, and can't go on, while the rest of the run can: what it has sent is
  /// worked on to its end, as are other streams, and the run is a failed one at its end. Events have it
  /// at once, as a warning. The node ends its outputs, as a source does that has no samples left.
  public func fail(_ reason: NodeError) { run.fail(reason) }

  /// Reports a measurement as an event of the run, with the node's name, beside what is sent.
  public func report(measurement values: [String: JSONValue]) { onMeasurement(values) }

  /// Ends one output before the others: nothing may be sent on it any more.
  package func finish(_ output: Int) throws {
    guard !hasFinished[output] else { return }
    (hasFinished[output], hasEnough[output]) = (true, true)
    try targets[output].finish()
  }

  /// Ends all outputs, also where what follows one of them fails; what the first one throws is thrown.
  package func finish() throws {
    try targets.indices.forEachToTheEnd { try finish($0) }
  }
}

/// Whatever follows an output port: the next node of the stage, a pad, or a test's collector.
package protocol SampleTarget: AnyObject {
  func announce(_ format: FormatDescription) throws
  func receive(_ sample: consuming SampleBuffer) throws
  func note(_ tags: StreamTags)
  func finish() throws
  /// Whether it takes a sample at once, however long it works on that.
  var isReady: Bool { get }
  /// Calls `body` once, when it is ready.
  func whenReady(_ body: @escaping @Sendable () -> Void)
}

extension SampleTarget {
  package var isReady: Bool { true }
  package func whenReady(_ body: @escaping @Sendable () -> Void) { body() }
  /// Where it is of no interest.
  package func note(_ tags: StreamTags) {}
}

/// No sample can go further: not a fault, and never shown to a person.
///
/// Sending throws it where the run is ending, and a node lets it through. A node throws
/// ``enough`` itself where it takes no more of an input.
public struct FlowStopped: Error {
  /// The flow value to return to the element that pushed.
  package var flow: Int32
  package init(flow: Int32) { self.flow = flow }

  /// A node takes no more of an input, for which the stream then ends.
  public static var enough: FlowStopped { FlowStopped(flow: Flow.endOfStream.rawValue) }

  /// Whether nothing downstream takes more of one output; others may go on.
  public var isEnough: Bool { flow == Flow.endOfStream.rawValue }
}

extension FlowStopped: CustomStringConvertible {
  public var description: String {
    isEnough ? "the node takes no more of this input" : "the run is ending"
  }
}

/// An output that the graph leaves open.
final class NoTarget: SampleTarget {
  func announce(_ format: FormatDescription) throws {}
  func receive(_ sample: consuming SampleBuffer) throws {}
  func finish() throws {}
}
