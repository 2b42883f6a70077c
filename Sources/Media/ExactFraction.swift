/// A result of arithmetic on times before it is fitted into a value and a timescale.
package struct ExactFraction {
  /// Whether it is below zero.
  var isNegative: Bool
  /// The magnitude above the line.
  var numerator: UInt128
  /// The magnitude below the line; at least 1.
  var denominator: UInt128

  /// A signed number over a positive one.
  package init(_ numerator: Int128, over denominator: UInt128) {
    self.isNegative = numerator < 0
    self.numerator = numerator.magnitude
    self.denominator = denominator
  }

  /// The same fraction in lowest terms.
  var reduced: ExactFraction {
    let divisor = commonDivisor
    guard divisor > 1 else { return self }
    var fraction = self
    fraction.numerator /= divisor
    fraction.denominator /= divisor
    return fraction
  }

  private var commonDivisor: UInt128 {
    var (a, b) = (denominator, numerator % denominator)
    // Division at full width costs ten times as much, and sums never need it here.
    if let a = UInt(exactly: a), let b = UInt(exactly: b) {
      return UInt128(greatestCommonDivisor(a, b))
    }
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }

  /// The fraction in units of `1/scale`; `nil` where `Int64` can't count them.
  func units(
    of scale: Int32, rounding: RoundingMethod, refines: Bool = false
  ) -> (value: Int64, isExact: Bool)? {
    let product = numerator.multipliedFullWidth(by: UInt128(scale))
    guard product.high < denominator else { return nil }
    var (quotient, remainder) =
      product.high == 0
      ? product.low.quotientAndRemainder(dividingBy: denominator)
      : denominator.dividingFullWidth(product)
    if remainder != 0 {
      let cut = CutQuotient(
        isNegative: isNegative, isZero: quotient == 0,
        isHalfOrMore: remainder >= denominator - remainder, refines: refines)
      if rounding.growsQuotient(cut) {
        guard quotient < UInt128.max else { return nil }
        quotient += 1
      }
    }
    return signed(quotient).map { ($0, remainder == 0) }
  }

  private func signed(_ magnitude: UInt128) -> Int64? {
    guard let magnitude = Int128(exactly: magnitude) else { return nil }
    return Int64(exactly: isNegative ? -magnitude : magnitude)
  }
}

extension MediaTime {
  /// The time nearest to a fraction, at a timescale or, where the value overflows, at the first of
  /// its halves that can hold it; infinite where not even whole seconds can.
  package init(
    nearest fraction: ExactFraction, timescale: Int32, rounding: RoundingMethod = .halfAwayFromZero,
    hasBeenRounded: Bool = false
  ) {
    var scale = timescale
    while scale > 0 {
      if let units = fraction.units(of: scale, rounding: rounding) {
        self.init(
          value: units.value, timescale: scale, hasBeenRounded: hasBeenRounded || !units.isExact)
        return
      }
      scale /= 2
    }
    self = .infinity(isNegative: fraction.isNegative)
  }

  /// The time that a fraction is: at the preferred timescale where that holds it exactly, else at
  /// the fraction's own, else the nearest one.
  package init(_ fraction: ExactFraction, preferredTimescale: Int64, hasBeenRounded: Bool) {
    if let scale = Int32(exactly: preferredTimescale),
      let units = fraction.units(of: scale, rounding: .towardZero), units.isExact
    {
      self.init(value: units.value, timescale: scale, hasBeenRounded: hasBeenRounded)
      return
    }
    let reduced = fraction.reduced
    if let scale = Int32(exactly: reduced.denominator),
      let units = reduced.units(of: scale, rounding: .towardZero)
    {
      self.init(value: units.value, timescale: scale, hasBeenRounded: hasBeenRounded)
      return
    }
    let finest = reduced.denominator > Int32.max ? Int32.max : Int32(clamping: preferredTimescale)
    self.init(nearest: reduced, timescale: finest, hasBeenRounded: hasBeenRounded)
  }
}
