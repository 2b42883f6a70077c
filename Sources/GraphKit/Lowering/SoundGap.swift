import GStreamer
import GraphKitSystem

/// Audio that is missing in the middle of a file: a decoder doesn't report what it gives up on.
extension RunContext {
  /// Warns once where a decoder of a file's audio leaves something out.
  func warnOfGaps(at pad: Pad, of node: String) {
    let gaps = Monitor(SoundGap())
    pad.replaceBuffers { [log] buffer in
      let gap = gaps.withLock { $0.add(buffer.presentationTime, buffer.duration ?? 0) }
      if let gap {
        log.send(
          .warning(
            node: node,
            message: "there is no audio from \(gap.start) to \(gap.end) s of the stream: "
              + "the file is damaged there, or pauses"))
      }
      return buffer
    }
  }
}

/// Finds the first gap between samples.
struct SoundGap {
  private var end: UInt64?
  private var isFound = false

  /// More than containers round times by, and less than a packet of audio lasts.
  private static let least: UInt64 = 10_000_000

  /// Takes the time and the length of what comes next, in nanoseconds; returns the first gap, in
  /// seconds.
  mutating func add(_ time: UInt64?, _ duration: UInt64) -> (start: Double, end: Double)? {
    guard let time else { return nil }
    defer { end = time + duration }
    guard let end, !isFound, time > end + Self.least else { return nil }
    isFound = true
    return (end.secondsToTheMillisecond, time.secondsToTheMillisecond)
  }
}

extension UInt64 {
  /// Nanoseconds in seconds, as messages give them.
  var secondsToTheMillisecond: Double { (Double(self) / 1e6).rounded() / 1_000 }
}
