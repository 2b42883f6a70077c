import GStreamer
import GraphKitSystem

/// Audio of a live source whose clock isn't the run's.
extension RunContext {
  /// Warns once where the audio that passes a pad has more samples than its times allow, or fewer.
  func warnOfDrift(at pad: Pad, of node: String) {
    let state = Monitor((drift: AudioDrift(), layout: pad.currentCaps?.soundLayout))
    pad.guardFormat { _, caps in
      state.withLock { $0 = (AudioDrift(), caps.soundLayout) }
      return true
    }
    pad.replaceBuffers { [log] buffer in
      let found = state.withLock { state -> AudioDrift.Finding? in
        guard let layout = state.layout, let time = buffer.presentationTime else { return nil }
        let length = layout.time(of: buffer.size / max(1, layout.frameSize))
        return state.drift.add(time: Int64(clamping: time), length: Int64(clamping: length))
      }
      if let found { log.send(.warning(node: node, message: found.text)) }
      return buffer
    }
  }
}

/// How far audio has run from its own times, by the number of its samples. A pure state machine; times
/// are nanoseconds.
struct AudioDrift {
  /// What is found after a time.
  struct Finding: Equatable {
    /// How much more audio there was than time.
    let excess: Int64
    let elapsed: Int64

    var text: String {
      let percent = (Double(excess.magnitude) / Double(elapsed) * 10_000).rounded() / 100
      let speed = excess > 0 ? "fast" : "slow"
      return "its clock is \(percent) % \(speed): \(excess.magnitude.secondsToTheMillisecond) s of "
        + "audio too \(excess > 0 ? "much" : "little") in "
        + "\(elapsed.magnitude.secondsToTheMillisecond) s. Its times are kept, and what encodes it "
        + "jumps from time to time"
    }
  }

  private var start: Int64?
  private var length: Int64 = 0
  private var isFound = false

  /// A step of more than that between two blocks is a gap.
  private static let gap: Int64 = 20_000_000
  /// What encoders correct at the latest.
  private static let least: Int64 = 40_000_000
  private static let leastTime: Int64 = 5_000_000_000
  private var last: Int64?

  /// Takes when a block begins, and how long its samples last; returns what is found, once.
  mutating func add(time: Int64, length block: Int64) -> Finding? {
    defer {
      length = length.addingClamped(block)
      last = time.addingClamped(block)
    }
    if let last, (time.subtractingClamped(last)).magnitude > Self.gap.magnitude { start = nil }
    guard let start else {
      (start, length) = (time, 0)
      return nil
    }
    let elapsed = time.subtractingClamped(start)
    let excess = length.subtractingClamped(elapsed)
    guard !isFound, elapsed >= Self.leastTime, excess.magnitude >= Self.least.magnitude else {
      return nil
    }
    isFound = true
    return Finding(excess: excess, elapsed: elapsed)
  }
}
