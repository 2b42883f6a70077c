import GStreamer
import Synchronization

/// A stream of a file that came to its end without a frame, though there were packets.
extension RunContext {
  /// Warns where a decoder has taken packets and never said what it makes of them. libav's ends in
  /// silence where GStreamer has no name for the pixels and its threads hold all of the stream.
  func warnOfNoFrames(from input: Pad?, to output: Pad, of node: String) {
    let packets = PacketNote()
    input?.onData { _ in packets.haveCome.store(true, ordering: .relaxed) }
    output.onEndOfStream { [self] in
      guard packets.haveCome.load(ordering: .relaxed), output.currentCaps == nil,
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

private final class PacketNote: Sendable {
  let haveCome = Atomic(false)
}
