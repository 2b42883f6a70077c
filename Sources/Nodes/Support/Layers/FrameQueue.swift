import GraphKit

/// A picture that a node keeps for later.
final class HeldFrame: Sendable {
  let sample: SampleBuffer
  let time: MediaTime
  /// When it ends, as far as it says.
  let end: MediaTime

  init(_ sample: consuming SampleBuffer) {
    time = sample.presentationTime
    end = sample.duration.isNumeric ? time + sample.duration : time
    self.sample = sample
  }
}

/// The pictures of one input that aren't shown yet, and which of them is shown at a time.
///
/// A picture is shown until the next one begins; the last one until it ends. Some files round times
/// to milliseconds, so a picture that begins within one of the time is there already.
struct FrameQueue: Sendable {
  private(set) var frames: [HeldFrame] = []
  /// Whether no more will come.
  var hasEnded = false
  private static let tolerance = MediaTime(value: 1, timescale: 1000)

  /// Puts a picture after the others.
  mutating func append(_ frame: HeldFrame) { frames.append(frame) }

  /// Takes the first picture out.
  mutating func popFirst() -> HeldFrame? { frames.isEmpty ? nil : frames.removeFirst() }

  /// Forgets them all.
  mutating func removeAll() { frames = [] }

  /// Whether nothing that may still come changes what is shown at a time.
  func isDecided(at time: MediaTime) -> Bool {
    guard !hasEnded else { return true }
    guard let last = frames.last else { return false }
    return last.time > time || last.end > time + Self.tolerance
  }

  /// What is shown at a time, which is not before that of an earlier call; `nil` before the first
  /// and after the last picture.
  mutating func frame(at time: MediaTime) -> HeldFrame? {
    let now = time + Self.tolerance
    while frames.count > 1, frames[1].time <= now { frames.removeFirst() }
    guard let first = frames.first, first.time <= now else { return nil }
    if frames.count == 1, hasEnded, first.end <= time {
      frames = []
      return nil
    }
    return first
  }
}
