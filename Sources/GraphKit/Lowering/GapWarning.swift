import GStreamer
import GraphKitSystem

/// Audio that is missing in the middle of a file: a decoder doesn't report what it gives up on.
extension RunContext {
  /// Warns where a decoder of a file's audio leaves something out.
  func warnOfGaps(at pad: Pad, of node: String) {
    let gaps = Monitor(SoundGap())
    pad.replaceBuffers { [log] buffer in
      let message = gaps.withLock { $0.add(buffer.presentationTime, buffer.duration ?? 0) }
      if let message { log.send(.warning(node: node, message: message)) }
      return buffer
    }
  }
}
