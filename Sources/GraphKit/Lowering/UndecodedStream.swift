import GStreamer
import GraphKitSystem

/// Packets of a file's stream of which a decoder makes no frame.
extension RunContext {
  /// Warns where a decoder has taken packets and never said what it makes of them. libav's ends in
  /// silence where GStreamer has no name for the pixels and its threads hold all of the stream. Warns,
  /// too, where it gives up on packets between others.
  func warnOfUndecoded(from input: Pad?, to output: Pad, of node: String) {
    let packets = Monitor(DecodedPackets())
    input?.onData { data in
      packets.withLock { $0.enter(data.presentationTime, isDiscontinuity: data.isDiscontinuity) }
    }
    output.onData { [log] data in
      guard let time = data.presentationTime,
        packets.withLock({ $0.leave(time, isDiscontinuity: data.isDiscontinuity) })
      else { return }
      log.send(
        .warning(
          node: node,
          message: "the file is damaged: a frame or more can't be decoded before that at "
            + "\(time.secondsToTheMillisecond) s of the stream, and there may be others"))
    }
    output.guardFormat { _, _ in
      packets.withLock { $0.hasFormat = true }
      return true
    }
    output.onEndOfStream { [self] in
      guard packets.withLock({ $0.hasEntered && !$0.hasFormat }),
        !isFinishing.load(ordering: .relaxed), failure == nil
      else { return }
      log.send(
        .warning(
          node: node,
          message: "no frame came of the stream's packets: it is damaged, or GStreamer has no name "
            + "for its pixels"))
    }
  }
}

/// What is known of the packets that enter a decoder by the frames that leave it. GStreamer's base class
/// of decoders marks the frame that follows an error as a discontinuity (gstvideodecoder.c).
struct DecodedPackets {
  private(set) var hasEntered = false
  /// Whether the decoder has said what it makes.
  var hasFormat = false
  private var hasLeft = false
  private var isLossKnown = false
  /// When the packet is presented that says itself that something is missing before it.
  private var broken: UInt64?

  mutating func enter(_ time: UInt64?, isDiscontinuity: Bool) {
    if isDiscontinuity { broken = time }
    hasEntered = true
  }

  /// Whether the frame is the first that follows packets that can't be decoded.
  mutating func leave(_ time: UInt64, isDiscontinuity: Bool) -> Bool {
    defer { hasLeft = true }
    let isExcused = broken.map { time >= $0 } ?? false
    if isExcused { broken = nil }
    guard isDiscontinuity, hasLeft, !isExcused, !isLossKnown else { return false }
    isLossKnown = true
    return true
  }
}
