import GStreamer

/// How long the session of a sink lasts: shared by the sources' wires that lead to it.
///
/// It counts from the first picture where the sink takes pictures, else from the first sample, and
/// it is kept where samples leave their sources, since raw samples can be cut anywhere and encoded
/// ones can't.
final class SessionLimit: Sendable {
  private let duration: Int64
  private let start = Monitor<Int64?>(nil)

  init(_ duration: MediaTime) { self.duration = duration.nanosecondsClamped }

  /// A sample of the kind that starts the session has come.
  func begin(at time: Int64) {
    start.withLock { $0 = min($0 ?? time, time) }
  }

  /// Whether a sample at a time lies beyond the end.
  func isReached(by time: Int64) -> Bool {
    guard let start = start.withLock({ $0 }) else { return false }
    // The time of a frame may have been rounded down.
    return time + 1000 >= start + duration
  }
}
