extension MediaTime {
  /// So many seconds, to the nearest nanosecond: `.seconds(1.5)`.
  public static func seconds(_ seconds: Double) -> MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)
  }

  /// When a frame begins, counted from 0, at a rate of so many a second; exactly. Invalid where the
  /// rate isn't positive or the time is too large to be held.
  public init(frame: Int, at rate: Rational) {
    let (value, isTooLarge) = frame.multipliedReportingOverflow(by: rate.denominator)
    guard let timescale = Int32(exactly: rate.numerator), !isTooLarge else {
      self = .invalid
      return
    }
    self.init(value: Int64(value), timescale: timescale)
  }

  /// The time in units of another timescale.
  ///
  /// Rounding is noted in ``hasBeenRounded``. A value that overflows makes an infinite time, a
  /// timescale that isn't positive an invalid one; a time that isn't numeric stays what it is.
  public func converted(
    to timescale: Int32, rounding: RoundingMethod = .halfAwayFromZero
  ) -> MediaTime {
    guard timescale > 0 else { return .invalid }
    guard isNumeric, timescale != self.timescale else { return self }
    guard let units = units(of: timescale, rounding: rounding) else {
      return .infinity(isNegative: value < 0)
    }
    return MediaTime(
      value: units.value, timescale: timescale, hasBeenRounded: hasBeenRounded || !units.isExact)
  }

  /// The time of a number of seconds, at a timescale or the first of its halves that can hold it.
  ///
  /// Rounded to the nearest unit; ``hasBeenRounded`` where ``seconds`` no longer gives the number
  /// back. Not-a-number and a timescale that isn't positive make an invalid time.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard preferredTimescale > 0, !seconds.isNaN else {
      self = .invalid
      return
    }
    guard seconds.magnitude < 0x1p63 else {
      self = .infinity(isNegative: seconds < 0)
      return
    }
    let time = MediaTime(nearest: ExactFraction(seconds), timescale: preferredTimescale)
    guard time.isNumeric else {
      self = time
      return
    }
    self.init(
      value: time.value, timescale: time.timescale, hasBeenRounded: time.seconds != seconds)
  }

  /// The time as a number of seconds: infinite for an infinite time, not-a-number for an
  /// indefinite or invalid one.
  public var seconds: Double {
    switch form {
    case .numeric: Double(value) / Double(timescale)
    case .positiveInfinity: .infinity
    case .negativeInfinity: -.infinity
    case .indefinite, .invalid: .nan
    }
  }

  /// The time of a number of nanoseconds; invalid where `Int64` can't hold it, as it can't hold
  /// the clock time that says "none" (all bits set).
  @inlinable public init(nanoseconds: some BinaryInteger) {
    guard let value = Int64(exactly: nanoseconds) else {
      self = .invalid
      return
    }
    self.init(value: value, timescale: 1_000_000_000)
  }

  /// The time in nanoseconds, rounded to the nearest; `nil` where it isn't numeric or `Int64`
  /// can't hold it.
  public var nanoseconds: Int64? { nanoseconds(rounding: .halfAwayFromZero) }

  /// The time in nanoseconds; `nil` where it isn't numeric or `Int64` can't hold it.
  public func nanoseconds(rounding: RoundingMethod) -> Int64? {
    units(of: 1_000_000_000, rounding: rounding)?.value
  }

  /// The time as GStreamer's clock counts it, rounded to the nearest nanosecond; `nil` where the
  /// clock has no such time: below zero, not numeric, too late.
  package var clock: UInt64? { nanoseconds.flatMap { UInt64(exactly: $0) } }

  /// The length of a number of audio frames; invalid where the sample rate isn't one.
  public init(frames: Int, at sampleRate: Int) {
    self.init(value: Int64(frames), timescale: Int32(exactly: sampleRate) ?? 0)
  }

  /// The number of audio frames in the time; `nil` where it isn't numeric, the rate isn't one, or
  /// the number overflows.
  public func frames(
    at sampleRate: Int, rounding: RoundingMethod = .halfAwayFromZero
  ) -> Int? {
    guard let scale = Int32(exactly: sampleRate), scale > 0 else { return nil }
    return units(of: scale, rounding: rounding).map { Int($0.value) }
  }

  private func units(
    of scale: Int32, rounding: RoundingMethod
  ) -> (value: Int64, isExact: Bool)? {
    guard isNumeric else { return nil }
    guard scale != timescale else { return (value, true) }
    let (product, overflows) = value.multipliedReportingOverflow(by: Int64(scale))
    guard !overflows else {
      return ExactFraction(Int128(value), over: UInt128(timescale))
        .units(of: scale, rounding: rounding, refines: scale > timescale)
    }
    // The common case needs one 64-bit division, where the full width costs a function call.
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: Int64(timescale))
    guard remainder != 0 else { return (quotient, true) }
    let cut = CutQuotient(
      isNegative: value < 0, isZero: quotient == 0,
      isHalfOrMore: 2 * remainder.magnitude >= UInt64(timescale), refines: scale > timescale)
    return (rounding.growsQuotient(cut) ? quotient + value.signum() : quotient, false)
  }
}

extension ExactFraction {
  /// A floating-point number below 2^63, exactly; but one under 2^-75 is so small that the outcome
  /// of no rounding depends on it, and counts as 2^-127.
  fileprivate init(_ number: Double) {
    isNegative = number < 0
    guard number.magnitude >= 0x1p-75 else {
      numerator = number == 0 ? 0 : 1
      denominator = 1 << 127
      return
    }
    let significand = UInt128(number.significandBitPattern | 1 << 52)
    let exponent = Int(number.exponent) - 52
    numerator = exponent > 0 ? significand << UInt128(exponent) : significand
    denominator = exponent < 0 ? 1 << UInt128(-exponent) : 1
  }
}
