import GStreamer
import GraphKitSystem

/// Frames of a damaged file that a decoder presents when one before them is, or earlier. Encoders take
/// no such frame: of x264's packets some would have no time then.
extension RunContext {
  /// Leaves out frames of a file that can't be presented after those before them, and says which.
  func keepOrder(from input: Pad?, to output: Pad, of node: String) {
    let count = Monitor(0)
    input?.stateTimes()
    output.keepOrder { [log] time, last in
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number <= Self.mostListed else { return }
      let rest = number == Self.mostListed ? "; further frames aren't listed" : ""
      let seconds = [time, last].map { UInt64(clamping: $0).secondsToTheMillisecond }
      log.send(
        .warning(
          node: node,
          message: "a frame at \(seconds[0]) s of the stream is left out, since one before it is "
            + "presented at \(seconds[1]) s: the file is damaged there\(rest)"))
    }
  }

  private static let mostListed = 10
}
