/// Counts the places at which the times of audio jump that goes into a file without times.
struct SoundJumps {
  private var end: UInt64?
  private var count = 0
  private var first: (end: UInt64, time: UInt64) = (0, 0)
  /// By how many nanoseconds times jump ahead, and back.
  private var ahead: UInt64 = 0
  private var back: UInt64 = 0

  /// More than times are rounded by, and than the clock of a device jitters.
  private static let least: UInt64 = 20_000_000

  /// Takes the time and the length of what comes next, in nanoseconds.
  mutating func add(_ time: UInt64?, _ duration: UInt64?) {
    let time = time ?? end
    if let time, let end, max(time, end) - min(time, end) > Self.least {
      if count == 0 { first = (end, time) }
      count += 1
      if time > end {
        ahead = ahead.addingClamped(time - end)
      } else {
        back = back.addingClamped(end - time)
      }
    }
    end = time.flatMap { time in duration.map { time.addingClamped($0) } }
  }

  /// What to say of them, once; `nil` where there are none.
  mutating func takeMessage() -> String? {
    guard count > 0 else { return nil }
    defer { count = 0 }
    let sums = [(ahead, "ahead"), (back, "back")].filter { $0.0 > 0 }
      .map { "\($0.1) by \($0.0.secondsToTheMillisecond) s" }.joined(separator: " and ")
    let (end, time) = (first.end.secondsToTheMillisecond, first.time.secondsToTheMillisecond)
    let places = "from \(end) to \(time) s"
    return "the time of its audio jumps \(sums) in all at "
      + (count == 1 ? "one place, \(places)" : "\(count) places, the first \(places)")
      + ": the file has no times, and its samples are back to back; send silence where there is a gap, "
      + "or write a movie"
  }
}

extension UInt64 {
  /// The sum, or the largest number.
  fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
