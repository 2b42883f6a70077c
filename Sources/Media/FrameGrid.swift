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

  /// The time that a file's is rounded from, in nanoseconds, where another frame of the stream is at
  /// `anchor`; `nil` where it is a whole number of frames from that by no rounding.
  package func exact(_ time: Int64, from anchor: Int64) -> Int64? {
    let (frames, second) = (Int128(rate.numerator), Int128(rate.denominator) * 1_000_000_000)
    let step = Int128(time) - Int128(anchor)
    let frame = Self.rounded(step * frames, over: second)
    let exact = Int128(anchor) + Self.rounded(frame * second, over: frames)
    // Both are rounded, by half a unit.
    guard (exact - Int128(time)).magnitude <= UInt128(unit + 1), exact >= 0 else { return nil }
    return Int64(exactly: exact)
  }

  private static func rounded(_ number: Int128, over divisor: Int128) -> Int128 {
    let half = number < 0 ? -divisor / 2 : divisor / 2
    return (number + half) / divisor
  }
}
