import GStreamer

/// The element that an output becomes where it leads to several inputs: each gets a reference to
/// the same buffers.
///
/// Where one of them has had enough, the others go on, which GStreamer's own `tee` doesn't do:
/// upstream gets end of stream once no branch wants more. Where one fails, the others go on to the end
/// that a failed run is brought to.
final class ForkBody: ElementBody {
  private let outputs: [Pad]
  private let wires: [String]
  private let context: RunContext
  /// Outputs whose branch wants no more; on upstream's thread alone.
  private var hasEnded: [Bool]
  /// What upstream gets once no branch takes more.
  private var result = Flow.endOfStream

  init(outputs: [Pad], wires: [String], context: RunContext) {
    (self.outputs, self.wires, self.context) = (outputs, wires, context)
    hasEnded = outputs.map { _ in false }
  }

  func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
    for (index, output) in outputs.enumerated() where !hasEnded[index] {
      switch output.push(buffer.share()) {
      case .ok: continue
      case .flushing: return .flushing
      case .endOfStream: hasEnded[index] = true
      case _ where context.gate.isAbandoned: return .flushing
      case let flow:
        (hasEnded[index], result) = (true, flow)
        context.fail(.stoppedFlow(flow, wire: wires[index]))
      }
    }
    return hasEnded.allSatisfy(\.self) ? result : .ok
  }

  func handle(_ event: consuming Event, on input: Int) -> Bool {
    for output in outputs { output.push(event.share()) }
    return true
  }

  /// What all that follow take.
  func caps(ofInput input: Int, filter: Caps?) -> Caps? {
    outputs.reduce(filter) { common, output in
      guard let peers = output.peerCaps(filter: filter) else { return common }
      return common?.intersection(peers) ?? peers
    }
  }
}
