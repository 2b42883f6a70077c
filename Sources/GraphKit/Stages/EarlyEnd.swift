import GStreamer

/// Audio that is missing at the end of a stream, though nothing is missing of its file.
extension RunContext {
  /// Warns where a stream ends before its file says, unless its consumers wanted no more of it.
  func warnOfEarlyEnd(of pad: Pad, _ node: String, stated: MediaTime) {
    guard let stated = stated.clock else { return }
    pad.onOwnEnd { [weak self] end in
      guard let self, let times = EarlyEnd(end, of: stated), failure == nil,
        !isFinishing.load(ordering: .relaxed)
      else { return }
      log.send(
        .warning(
          node: node,
          message: "the audio ends at \(times.end) s, and the file says at \(times.stated) s: "
            + "what is missing is damaged, or can't be read"))
    }
  }
}

/// Where a stream ended, and where it should have, in seconds.
struct EarlyEnd: Equatable {
  let end: Double
  let stated: Double

  /// Of times in nanoseconds; `nil` where no more is missing than files are wrong by: encoders
  /// count what they pad, and files round to their units.
  init?(_ end: UInt64, of stated: UInt64) {
    guard stated > end, stated - end > max(500_000_000, stated / 100) else { return nil }
    (self.end, self.stated) = (end.secondsToTheMillisecond, stated.secondsToTheMillisecond)
  }
}
