/// The times of frames that come at a steady rate, of which a file has only rounded ones.
package struct FrameGrid: Hashable, Sendable {
  /// Frames a second.
  package let rate: Rational
  /// What the file's times are multiples of, in nanoseconds.
  package let unit: Int64

  /// The grid of frames each so many nanoseconds long, rounded. `nil` where that is of no usual rate: whole
  /// ones, and those of television (1,000/1,001 of them).
  package init?(frameDuration: Int, unit: Int) {
    let rates = (1...240).flatMap { [Rational($0), Rational($0 * 1_000, over: 1_001)] }
    let rate = rates.compactMap(\.self).first { rate in
      let exact = 1e9 * Double(rate.denominator) / Double(rate.numerator)
      return abs(exact - Double(frameDuration)) < 1
    }
    guard let rate, unit > 0, unit <= frameDuration / 4 else { return nil }
    (self.rate, self.unit) = (rate, Int64(unit))
  }

  /// The time on the grid that a file's time, in nanoseconds, is rounded from; the same time where it is
  /// from none.
  package func exact(_ time: Int64) -> Int64 {
    let (frames, second) = (Int128(rate.numerator), Int128(rate.denominator) * 1_000_000_000)
    let doubled = 2 * Int128(time) * frames + second
    guard time >= 0 else { return time }
    let frame = doubled / (2 * second)
    let exact = (2 * frame * second + frames) / (2 * frames)
    // Half a unit, and a nanosecond by which either may be rounded.
    guard (exact - Int128(time)).magnitude <= UInt128(unit / 2 + 1) else { return time }
    return Int64(exact)
  }
}
