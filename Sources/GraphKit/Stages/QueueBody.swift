import GStreamer

/// The element that a bounded wire is: takes on upstream's thread, gives on its own, or on the same
/// where nothing downstream ever waits.
final class QueueBody: ElementBody {
  private let group: WireGroup
  private let index: Int
  private let constraint: Caps?
  private let context: RunContext
  private let output: Pad?
  private let onEnd: @Sendable () -> Void
  /// Silence in front of live audio that is to begin with the session, however late it comes. It takes
  /// no room of the wire's, which is that of what the source gives.
  private var opening: OpeningSilence?

  /// A wire that samples leave through a pad, or, without one, through ``SampleOutput``. `onEnd` is
  /// called when the stream's end has come in.
  init(
    group: WireGroup, index: Int, constraint: Caps?, output: Pad?, opening: OpeningSilence?,
    context: RunContext, onEnd: @escaping @Sendable () -> Void
  ) {
    self.onEnd = onEnd
    self.output = output
    self.opening = opening
    self.group = group
    self.index = index
    self.constraint = constraint
    self.context = context
  }

  func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
    let flow = group.offer(buffer, on: index)
    return flow == .ok ? deliver() : flow
  }

  func handle(_ event: consuming Event, on input: Int) -> Bool {
    let isEnd = event.isEndOfStream
    group.enqueue(event, on: index)
    _ = deliver()
    if isEnd { onEnd() }
    return true
  }

  func run(on port: Int) -> Bool {
    guard let output else { return false }
    guard let item = group.take(index) else {
      // The sink goes on without this input: for it the stream ends here.
      if group.isLeftOut(index) { output.push(Event.endOfStream()) }
      return false
    }
    return push(item, to: output) == .ok
  }

  /// Hands on what a wire holds, where that is the producers' business.
  private func deliver() -> Flow {
    guard group.wires[index].delivery == .direct, let output else { return .ok }
    var (isFirst, result) = (true, Flow.ok)
    while let item = group.takeDirectly(index, isFirst: isFirst) {
      isFirst = false
      let flow = push(item, to: output)
      if flow != .ok { result = flow }
    }
    return result
  }

  private func push(_ item: consuming Item, to output: Pad) -> Flow {
    switch consume item {
    case .event(let event):
      let isEnd = event.isEndOfStream
      opening?.note(event)
      output.push(event)
      if isEnd { group.noteEnd(index) }
      return isEnd ? .endOfStream : .ok
    case .buffer(let buffer):
      opening?.fill(before: buffer) { _ = output.push($0) }
      let flow = output.push(buffer)
      if flow != .ok { stop(flow, output) }
      return flow
    }
  }

  private func stop(_ flow: Flow, _ output: Pad) {
    group.stop(index, flow: flow)
    // A decoder that is past the end of its segment still holds frames from before, until it hears that.
    if flow == .endOfStream { output.push(Event.endOfStream()) }
    guard flow != .flushing, flow != .endOfStream else { return }
    context.fail(.stoppedFlow(flow, wire: group.wires[index].name))
  }

  func setActive(_ isActive: Bool, input: Int) { group.setFlushing(!isActive, on: index) }
  func setActive(_ isActive: Bool, output: Int) { group.setFlushing(!isActive, on: index) }

  func caps(ofInput input: Int, filter: Caps?) -> Caps? {
    guard let peers = output?.peerCaps(filter: filter) else { return constraint }
    return constraint?.intersection(peers) ?? peers
  }

  func caps(ofOutput output: Int, filter: Caps?) -> Caps? { constraint }

  func endOfStreamRequested() -> Bool {
    group.finish(index)
    _ = deliver()
    return true
  }
}

extension PipelineFailure {
  /// Samples could not get past a wire, and no element has reported why.
  static func stoppedFlow(_ flow: Flow, wire: String) -> PipelineFailure {
    let isFormat = flow == .notNegotiated
    var failure = PipelineFailure(
      node: nil,
      message: isFormat
        ? "the format on \(wire) changed to one that its input doesn't take"
        : "\(wire) could not deliver its samples",
      remedy: isFormat
        ? "convert to a fixed format before it" : "look at the errors of the nodes it leads to")
    failure.isEcho = true
    return failure
  }
}
