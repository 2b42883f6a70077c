/// What happens to the part of a time that a coarser timescale can't hold.
public enum RoundingMethod: String, Hashable, Sendable, Codable, CaseIterable {
  /// To the nearest unit, and from the middle to the one farther from zero: the default.
  case halfAwayFromZero
  /// To the unit nearer to zero.
  case towardZero
  /// To the unit farther from zero.
  case awayFromZero
  /// Toward zero on the way to a coarser timescale and away from zero on the way to a finer one;
  /// a negative time never becomes zero. QuickTime's rule.
  case quickTime
  /// To the later unit.
  case towardPositiveInfinity
  /// To the earlier unit.
  case towardNegativeInfinity

  /// Whether a quotient that was cut off toward zero, with a remainder, has to grow by one.
  func growsQuotient(_ cut: CutQuotient) -> Bool {
    switch self {
    case .halfAwayFromZero: cut.isHalfOrMore
    case .towardZero: false
    case .awayFromZero: true
    case .quickTime: cut.refines || (cut.isNegative && cut.isZero)
    case .towardPositiveInfinity: !cut.isNegative
    case .towardNegativeInfinity: cut.isNegative
    }
  }
}

/// What rounding needs to know of a quotient that was cut off toward zero and isn't exact.
struct CutQuotient {
  /// Whether the exact result is below zero.
  var isNegative: Bool
  /// Whether nothing but the remainder is left.
  var isZero: Bool
  /// Whether the remainder is at least half of the divisor.
  var isHalfOrMore: Bool
  /// Whether the new timescale is finer than the old one.
  var refines: Bool
}
