import GraphKit

/// Which frame of its stream a sample begins with, by its presentation time.
///
/// A time stamp that is less than 2 ms off where the sample before it ended means that the sample
/// follows it: Matroska and its kin count whole milliseconds. Any other is taken at its word.
struct FrameClock: Sendable {
  private let sampleRate: Int
  private var end: Int?

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// The frame that a sample begins with, counted from presentation time zero.
  mutating func position(of sample: borrowing SampleBuffer) -> Int {
    // Half of the range is left to count on from.
    let stated = sample.presentationTime.frames(at: sampleRate)
      .map { min(max($0, .min / 4), .max / 4) }
    let tolerance = sampleRate / 500
    let start =
      switch (stated, end) {
      case (let stated?, let end?): abs(stated - end) <= tolerance ? end : stated
      case (let stated, let end): stated ?? end ?? 0
      }
    end = start + sample.frameCount
    return start
  }
}
