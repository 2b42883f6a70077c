/// Finds gaps between samples of audio.
struct SoundGap {
  private var end: UInt64?
  private var count = 0

  /// More are not listed.
  private static let most = 10

  /// More than containers round times by, and less than a packet of audio lasts.
  private static let least: UInt64 = 10_000_000

  /// Takes the time and the length of what comes next, in nanoseconds; returns what to say of a gap
  /// before it.
  mutating func add(_ time: UInt64?, _ duration: UInt64) -> String? {
    guard let time else {
      end = end.map { $0.addingWithinLimits(duration) }
      return nil
    }
    defer { end = time.addingWithinLimits(duration) }
    guard let end, time > end.addingWithinLimits(Self.least) else { return nil }
    return message(from: MediaTime(clock: end), to: MediaTime(clock: time))
  }

  /// What to say of one more gap; `nil` where enough were listed.
  mutating func message(from start: MediaTime, to end: MediaTime) -> String? {
    let seconds = [start, end].map { ($0.clock ?? 0).secondsToTheMillisecond }
    return message("from \(seconds[0]) to \(seconds[1]) s")
  }

  /// The same of frames, where their rate isn't known.
  mutating func message(of frames: Range<Int>) -> String? {
    message("from frame \(frames.lowerBound) to frame \(frames.upperBound)")
  }

  private mutating func message(_ stretch: String) -> String? {
    guard count < Self.most else { return nil }
    count += 1
    let rest = count == Self.most ? "; further gaps aren't listed" : ""
    return "there is no audio \(stretch) of the stream: the file is damaged there, or pauses\(rest)"
  }
}

extension UInt64 {
  /// The sum, or the largest number: a damaged file may say any time.
  fileprivate func addingWithinLimits(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// Nanoseconds in seconds, as messages give them.
  var secondsToTheMillisecond: Double { (Double(self) / 1e6).rounded() / 1_000 }
}
