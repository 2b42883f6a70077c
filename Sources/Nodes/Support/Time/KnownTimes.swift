import GraphKit

/// Gives samples without a time that at which the one before them ends: program streams and AVI files
/// say it of some frames alone.
struct KnownTimes: Sendable {
  private var end = MediaTime.zero

  /// Completes the time of the next sample.
  mutating func complete(_ sample: inout SampleBuffer) {
    if !sample.presentationTime.isNumeric { sample.presentationTime = end }
    end = sample.presentationTime
    if sample.duration.isNumeric { end += sample.duration }
  }
}
