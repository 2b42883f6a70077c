import GStreamer

/// A stream that an element is to show while it starts.
struct AwaitedStream: Sendable {
  let element: Element
  let port: PortReference
  /// Whether it was found before the run.
  let isKnown: Bool
  /// Where it goes.
  let target: Pad?

  /// What to say where the element gives up and hasn't shown it.
  var failure: PipelineFailure? {
    guard target?.isLinked == false else { return nil }
    guard isKnown else {
      return PipelineFailure(
        node: port.node, message: "nothing came that has a stream for \(port)",
        remedy: "give what can be read from front to back: a movie has its index in front, or is "
          + "in fragments")
    }
    return PipelineFailure(
      node: port.node, message: "the stream of \(port) is no longer in the file",
      remedy: "check whether the file changed since it was opened")
  }

  /// Whether a thread still reads the file, or waits for room after the element.
  var isRead: Bool {
    element.hasActiveTask || element.pad("sink")?.peerHasActiveTask == true
  }
}

/// Looks for streams that will never show: a reader that gives up while its elements are being
/// linked may post no message.
struct StreamWatch {
  /// How many checks in a row found no element that reads, by the stream.
  private var stillLooks: [Int: Int] = [:]
  private var nextLook = ContinuousClock.now

  /// An element begins to read within one look, so a second without any reader is the end.
  private static let interval = Duration.milliseconds(250)
  private static let patience = 4

  /// What to say of the first stream that is given up.
  mutating func failure(_ streams: [AwaitedStream]) -> PipelineFailure? {
    guard !streams.isEmpty, .now >= nextLook else { return nil }
    nextLook = .now + Self.interval
    for (index, stream) in streams.enumerated() {
      guard let failure = stream.failure else { continue }
      stillLooks[index] = stream.isRead ? 0 : stillLooks[index, default: 0] + 1
      if stillLooks[index] == Self.patience { return failure }
    }
    return nil
  }
}
