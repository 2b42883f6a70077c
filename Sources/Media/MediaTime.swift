/// A point or a length in media time: a rational number of seconds, or no number at all.
///
/// The semantics are those of Core Media's `CMTime`. A time is *numeric* (`value/timescale`
/// seconds, exactly), infinite in either direction, *indefinite* (a length that isn't known, such
/// as a live source's), or *invalid* (no time at all, such as a sample without a time stamp).
/// Arithmetic is exact where a timescale up to `Int32.max` can hold the result; where none can,
/// the result is the nearest time and says so in ``hasBeenRounded``.
///
/// `==`, `<` and hashing look at the time and not at how it is written: 1/2 s is 2/4 s.
public struct MediaTime: Sendable {
  /// The time in units of `1/timescale` seconds; 0 for a time that isn't numeric.
  public let value: Int64
  /// Units a second, at least 1; 0 for a time that isn't numeric.
  public let timescale: Int32
  let form: Form
  /// Whether a conversion or an overflow on the way to this time has lost precision.
  public let hasBeenRounded: Bool

  /// What sort of time it is, in the order of comparison.
  enum Form: UInt8 { case negativeInfinity, numeric, indefinite, positiveInfinity, invalid }

  /// A time of `value/timescale` seconds; invalid where the timescale isn't positive.
  public init(value: Int64, timescale: Int32) {
    self.init(value: value, timescale: timescale, hasBeenRounded: false)
  }

  package init(value: Int64, timescale: Int32, hasBeenRounded: Bool) {
    let isNumeric = timescale > 0
    self.value = isNumeric ? value : 0
    self.timescale = isNumeric ? timescale : 0
    self.form = isNumeric ? .numeric : .invalid
    self.hasBeenRounded = isNumeric && hasBeenRounded
  }

  private init(_ form: Form) {
    self.value = 0
    self.timescale = 0
    self.form = form
    self.hasBeenRounded = false
  }

  static func infinity(isNegative: Bool) -> MediaTime {
    isNegative ? .negativeInfinity : .positiveInfinity
  }
}

extension MediaTime {
  /// Zero seconds.
  public static var zero: MediaTime { MediaTime(value: 0, timescale: 1) }
  /// No time at all.
  public static var invalid: MediaTime { MediaTime(.invalid) }
  /// A length that isn't known, or not yet.
  public static var indefinite: MediaTime { MediaTime(.indefinite) }
  /// Later than every number of seconds.
  public static var positiveInfinity: MediaTime { MediaTime(.positiveInfinity) }
  /// Earlier than every number of seconds.
  public static var negativeInfinity: MediaTime { MediaTime(.negativeInfinity) }

  /// Whether it is a time at all, even if it isn't a number.
  public var isValid: Bool { form != .invalid }
  /// Whether it is a number of seconds.
  public var isNumeric: Bool { form == .numeric }
  /// Whether it is a length that isn't known.
  public var isIndefinite: Bool { form == .indefinite }
  /// Whether it is infinite, in either direction.
  public var isInfinite: Bool { form == .positiveInfinity || form == .negativeInfinity }
}
