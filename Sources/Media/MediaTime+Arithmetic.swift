extension MediaTime {
  /// The exact sum, at the least common timescale.
  ///
  /// Where no timescale can hold it, the sum is rounded at the finest that can (counting down
  /// from the common one by halves), and infinite where none can. An invalid operand makes an
  /// invalid sum, and so do opposite infinities; else an infinite operand makes an infinite sum,
  /// and an indefinite one an indefinite sum.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    guard a.isNumeric, b.isNumeric else { return sumWithoutNumber(a, b) }
    let rounded = a.hasBeenRounded || b.hasBeenRounded
    if a.timescale == b.timescale {
      let (value, overflows) = a.value.addingReportingOverflow(b.value)
      if !overflows {
        return MediaTime(value: value, timescale: a.timescale, hasBeenRounded: rounded)
      }
    }
    return sumAtCommonTimescale(a, b, hasBeenRounded: rounded)
  }

  /// The exact difference, by the rules of the sum.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    if a.isNumeric, b.isNumeric, a.timescale == b.timescale {
      let (value, overflows) = a.value.subtractingReportingOverflow(b.value)
      if !overflows {
        return MediaTime(
          value: value, timescale: a.timescale,
          hasBeenRounded: a.hasBeenRounded || b.hasBeenRounded)
      }
    }
    return a + -b
  }

  /// Adds a time.
  public static func += (a: inout MediaTime, b: MediaTime) { a = a + b }

  /// Subtracts a time.
  public static func -= (a: inout MediaTime, b: MediaTime) { a = a - b }

  /// The same time in the other direction.
  public static prefix func - (a: MediaTime) -> MediaTime { a * -1 }

  /// The length without its direction.
  public var magnitude: MediaTime { self < .zero ? -self : self }

  /// A multiple at the same timescale, with the sum's rules of overflow.
  public static func * (a: MediaTime, factor: Int) -> MediaTime {
    guard a.isNumeric else { return a.multipliedWithoutNumber(bySignOf: factor.signum()) }
    let (value, overflows) = a.value.multipliedReportingOverflow(by: Int64(factor))
    if !overflows {
      return MediaTime(value: value, timescale: a.timescale, hasBeenRounded: a.hasBeenRounded)
    }
    return MediaTime(
      ExactFraction(Int128(a.value) * Int128(factor), over: UInt128(a.timescale)),
      preferredTimescale: Int64(a.timescale), hasBeenRounded: a.hasBeenRounded)
  }

  /// The time times a ratio: exact where any timescale can hold the result, else rounded, else
  /// infinite. A divisor of zero makes an invalid time.
  public func multiplied(by factor: Int, over divisor: Int) -> MediaTime {
    guard divisor != 0 else { return .invalid }
    guard isNumeric else {
      return multipliedWithoutNumber(bySignOf: factor.signum() * divisor.signum())
    }
    var fraction = ExactFraction(
      Int128(value) * Int128(factor), over: UInt128(timescale) * UInt128(divisor.magnitude))
    if divisor < 0 { fraction.isNegative.toggle() }
    return MediaTime(
      fraction, preferredTimescale: Int64(timescale), hasBeenRounded: hasBeenRounded)
  }

  private static func sumAtCommonTimescale(
    _ a: MediaTime, _ b: MediaTime, hasBeenRounded: Bool
  ) -> MediaTime {
    let divisor = Int64(greatestCommonDivisor(UInt(a.timescale), UInt(b.timescale)))
    let (scaleA, scaleB) = (Int64(a.timescale) / divisor, Int64(b.timescale) / divisor)
    let common = scaleA * Int64(b.timescale)
    let sum = Int128(a.value) * Int128(scaleB) + Int128(b.value) * Int128(scaleA)
    if let timescale = Int32(exactly: common), let value = Int64(exactly: sum) {
      return MediaTime(value: value, timescale: timescale, hasBeenRounded: hasBeenRounded)
    }
    return MediaTime(
      ExactFraction(sum, over: UInt128(common)), preferredTimescale: common,
      hasBeenRounded: hasBeenRounded)
  }

  private static func sumWithoutNumber(_ a: MediaTime, _ b: MediaTime) -> MediaTime {
    guard a.isValid, b.isValid else { return .invalid }
    if a.isInfinite && b.isInfinite { return a.form == b.form ? a : .invalid }
    if a.isInfinite { return a }
    return b.isInfinite ? b : .indefinite
  }

  private func multipliedWithoutNumber(bySignOf sign: Int) -> MediaTime {
    guard isInfinite else { return self }
    guard sign != 0 else { return .invalid }
    return .infinity(isNegative: (form == .negativeInfinity) != (sign < 0))
  }
}

/// Nanoseconds of streams, whose extremes no sum may trap on.
extension Int64 {
  /// The sum, or the extreme beyond which it is.
  package func addingClamped(_ other: Int64) -> Int64 {
    let sum = addingReportingOverflow(other)
    return sum.overflow ? (other < 0 ? .min : .max) : sum.partialValue
  }

  /// The difference, or the extreme beyond which it is.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let difference = subtractingReportingOverflow(other)
    return difference.overflow ? (other < 0 ? .max : .min) : difference.partialValue
  }
}
