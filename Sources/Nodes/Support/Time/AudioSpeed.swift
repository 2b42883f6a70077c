import GraphKit

/// Audio that is played faster or slower, block by block.
///
/// What follows a gap in the input begins where that is at the new speed; a gap of less than a
/// fiftieth of a second is none.
struct AudioSpeed: Sendable {
  private enum Change: Sendable {
    case stretch(TimeStretch)
    case rate(RateChange)
  }

  private let speed: Double
  private let keepsPitch: Bool
  private let format: FormatDescription
  private let audio: AudioFormat
  private var change: Change
  /// When the first frame came after the last gap, and how many have come since; `nil` before any.
  private var start: MediaTime?
  private var taken = 0
  private var sent = 0
  private static let smallestGap = MediaTime(value: 1, timescale: 50)

  init(_ speed: Double, keepsPitch: Bool, _ format: FormatDescription, _ audio: AudioFormat) {
    (self.speed, self.keepsPitch, self.format, self.audio) = (speed, keepsPitch, format, audio)
    change = Self.change(speed, keepsPitch, audio)
  }

  private static func change(_ speed: Double, _ keepsPitch: Bool, _ audio: AudioFormat) -> Change {
    keepsPitch
      ? .stretch(TimeStretch(speed: speed, sampleRate: audio.sampleRate, channels: audio.channels))
      : .rate(RateChange(speed: speed, channels: audio.channels))
  }

  /// Takes a block; returns those that are decided by it.
  mutating func add(_ sample: borrowing SampleBuffer) -> [HeldFrame] {
    let time = sample.presentationTime
    var blocks: [HeldFrame] = []
    if let start, time.isNumeric {
      let gap = time - (start + MediaTime(frames: taken, at: audio.sampleRate))
      if gap > Self.smallestGap {
        blocks = finish()
        change = Self.change(speed, keepsPitch, audio)
        (self.start, taken, sent) = (time, 0, 0)
      }
    } else if start == nil {
      start = time.isNumeric ? time : .zero
    }
    let values = sample.values()
    taken += values.count / max(1, audio.channels)
    switch change {
    case .stretch(var stretch):
      change = .rate(RateChange(speed: 1, channels: 1))
      append(stretch.add(values), to: &blocks)
      change = .stretch(stretch)
    case .rate(var rate):
      append(rate.add(values), to: &blocks)
      change = .rate(rate)
    }
    return blocks
  }

  /// Returns what is left.
  mutating func finish() -> [HeldFrame] {
    var blocks: [HeldFrame] = []
    switch change {
    case .stretch(var stretch): append(stretch.finish(), to: &blocks)
    case .rate(var rate): append(rate.finish(), to: &blocks)
    }
    return blocks
  }

  private mutating func append(_ values: [Float], to blocks: inout [HeldFrame]) {
    guard !values.isEmpty, let start else { return }
    let time = start.slowed(by: speed) + MediaTime(frames: sent, at: audio.sampleRate)
    sent += values.count / max(1, audio.channels)
    blocks.append(HeldFrame(.block(of: values, format, audio, at: time)))
  }
}
