import GStreamer
import GraphKitSystem

/// The element that a run of Swift nodes is: its inputs lead to nodes, its nodes to its outputs.
///
/// A stage has one streaming thread: that of its one input, or its own where it begins with a
/// source. A node with several inputs has a stage to itself and takes them in turn.
final class StageBody: ElementBody {
  private let name: String
  private let heads: [any SampleTarget]
  private let tails: [PadTarget]
  private let constraints: [Caps?]
  private let context: RunContext
  private let lock = Monitor(())
  private var formats: [FormatDescription?]
  private var origins: [Int64]
  private var openHeads: Int
  /// Inputs that have come to their end.
  private var hasEnded: [Bool]
  /// The single output, where caps can be queried from the consumer.
  private let proxy: Pad?
  private let loop: SourceLoop?
  private let onEnd: @Sendable () -> Void

  /// A stage. `onEnd` is called at the end of every input where the stage has no outputs; `loop`
  /// is the thread of a stage that begins with a source.
  init(
    name: String, heads: [any SampleTarget], tails: [PadTarget], constraints: [Caps?], proxy: Pad?,
    loop: SourceLoop?, context: RunContext, onEnd: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.loop = loop
    self.onEnd = onEnd
    self.heads = heads
    self.tails = tails
    self.constraints = constraints
    self.proxy = proxy
    self.context = context
    formats = heads.map { _ in nil }
    origins = heads.map { _ in 0 }
    openHeads = heads.count
    hasEnded = heads.map { _ in false }
  }

  func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
    if tails.isEmpty { context.gate.pass() }
    guard context.log.isTracing else { return processLocked(buffer, on: input) }
    let start = ContinuousClock.now
    let flow = processLocked(buffer, on: input)
    context.log.span(name: "sample", track: name, from: start, to: .now)
    return flow
  }

  private func processLocked(_ buffer: consuming Buffer, on input: Int) -> Flow {
    guard heads.count > 1 else { return process(buffer, on: input) }
    var pending = Optional(buffer)
    return lock.withLock { _ in
      guard let buffer = pending.take() else { return .ok }
      return process(buffer, on: input)
    }
  }

  private func process(_ buffer: consuming Buffer, on input: Int) -> Flow {
    guard !hasEnded[input] else { return .endOfStream }
    guard let format = formats[input] else { return .notNegotiated }
    do {
      try heads[input].receive(
        SampleBuffer(entering: buffer, format: format, origin: origins[input]))
      return .ok
    } catch {
      guard error.isEndOfStream else { return flow(after: error) }
      // Upstream need not say again that the stream ends: it may go on for others.
      do { try end(input) } catch { return flow(after: error) }
      return .endOfStream
    }
  }

  private func flow(after error: any Error) -> Flow {
    if let stopped = error as? FlowStopped { return Flow(rawValue: stopped.flow) }
    // While a run is stopped, formats are refused since nothing takes any.
    if (error as? PipelineFailure)?.isEcho == true, context.gate.isAbandoned { return .flushing }
    context.fail(PipelineFailure(node: nil, error, remedy: "look at the graph's nodes"))
    return .error
  }

  func handle(_ event: consuming Event, on input: Int) -> Bool {
    var pending = Optional(event)
    return lock.withLock { _ in
      guard let event = pending.take() else { return false }
      return act(on: event, input: input)
    }
  }

  private func act(on event: consuming Event, input: Int) -> Bool {
    if let origin = event.segmentOrigin { origins[input] = origin }
    do {
      switch event.kind {
      case .caps(let caps):
        let format = context.description(of: caps)
        formats[input] = format
        try heads[input].announce(format)
      case .endOfStream:
        try end(input)
      default:
        // What isn't about samples belongs to the stage's first input.
        if input == 0 { for tail in tails { tail.forward(event.share()) } }
      }
      return true
    } catch {
      return flow(after: error) == .ok
    }
  }

  private func end(_ input: Int) throws {
    guard !hasEnded[input] else { return }
    hasEnded[input] = true
    openHeads -= 1
    defer { if openHeads == 0, tails.isEmpty { onEnd() } }
    try heads[input].finish()
  }

  func caps(ofInput input: Int, filter: Caps?) -> Caps? {
    guard let peers = proxy?.peerCaps(filter: filter) else { return constraints[input] }
    return constraints[input]?.intersection(peers) ?? peers
  }

  func endOfStreamRequested() -> Bool {
    loop?.askToEnd()
    return loop != nil
  }
}

extension Error {
  /// Whether the consumer wants no more samples, which is no fault.
  fileprivate var isEndOfStream: Bool {
    (self as? FlowStopped)?.isEnough == true
  }
}
