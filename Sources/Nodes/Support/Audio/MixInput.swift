import GraphKit

/// One input of a ``MixAudio``: what it has brought and hasn't been mixed yet.
struct MixInput: Sendable {
  /// Levels from a frame on, interleaved.
  private struct Stretch: Sendable {
    var frames: Range<Int>
    var levels: [Float]
  }

  /// The factor of its levels.
  var gain = Ramp(1)
  /// Whether no more comes.
  var hasEnded = false
  /// The frame that it began with; `nil` before it has.
  private(set) var start: Int?
  /// The frame after the last that it brought.
  private(set) var end: Int?
  private let channels: Int
  private var clock: FrameClock
  private var stretches: [Stretch] = []

  init(sampleRate: Int, channels: Int) {
    self.channels = channels
    clock = FrameClock(sampleRate: sampleRate)
  }

  /// Takes a sample. The part before the next frame comes too late, and the part that overlaps what
  /// came already is left out.
  mutating func add(_ sample: borrowing SampleBuffer, after next: Int?) {
    let first = clock.position(of: sample)
    let frames = first..<first + sample.frameCount
    if start == nil { start = frames.lowerBound }
    let from = max(frames.lowerBound, next ?? .min, end ?? .min)
    end = max(end ?? .min, frames.upperBound)
    guard from < frames.upperBound else { return }
    let levels = sample.withSamples(as: Float.self) { samples in
      ((from - first) * channels..<frames.count * channels).map { index in
        samples[index].isFinite ? samples[index] : 0
      }
    }
    stretches.append(Stretch(frames: from..<frames.upperBound, levels: levels))
  }

  /// Adds the levels of some frames, and forgets those that lie after them.
  mutating func mix(into sums: inout [Double], _ frames: Range<Int>) {
    var factors: [Float] = []
    gain.next(frames.count, into: &factors)
    for stretch in stretches {
      let common = stretch.frames.clamped(to: frames)
      for frame in common {
        let factor = Double(factors[frame - frames.lowerBound])
        let (from, to) = (frame - stretch.frames.lowerBound, frame - frames.lowerBound)
        for channel in 0..<channels {
          sums[to * channels + channel] +=
            Double(stretch.levels[from * channels + channel]) * factor
        }
      }
    }
    stretches.removeAll { $0.frames.upperBound <= frames.upperBound }
  }
}
