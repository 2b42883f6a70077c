import GStreamer
import GraphKitSystem

/// Frames of a file that a decoder presents when one before them is, or earlier, as of damaged files.
/// Encoders take no such frame: of x264's packets some would have no time then.
extension RunContext {
  /// Has the frames of a file leave their decoder in order, and says which are left out.
  func keepOrder(from input: Pad?, to output: Pad, of node: String) {
    let count = Monitor(0)
    input?.stateTimes()
    output.keepOrder { [log] time, last in
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number <= Self.mostListed + 1 else { return }
      let seconds = [time, last].map { UInt64(clamping: $0).secondsToTheMillisecond }
      let message =
        number > Self.mostListed
        ? "more frames are left out that are presented before others, and aren't listed"
        : "a frame at \(seconds[0]) s of the stream is left out, since one before it is presented at "
          + "\(seconds[1]) s"
      log.send(.warning(node: node, message: message))
    }
  }

  private static let mostListed = 10
}
