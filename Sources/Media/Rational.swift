/// A fraction in lowest terms, as frame rates need it: 30000/1001.
public struct Rational: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number above the line.
  public let numerator: Int
  /// The number below the line; at least 1.
  public let denominator: Int

  /// A fraction, reduced; `nil` where the denominator isn't positive.
  public init?(_ numerator: Int, over denominator: Int) {
    guard denominator > 0 else { return nil }
    let divisor = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    self.numerator = numerator / Int(divisor)
    self.denominator = denominator / Int(divisor)
  }

  /// A whole number.
  public init(_ whole: Int) {
    numerator = whole
    denominator = 1
  }

  /// The nearest floating-point value.
  public var value: Double { Double(numerator) / Double(denominator) }

  /// Compares exactly.
  public static func < (a: Rational, b: Rational) -> Bool {
    let left = a.numerator.multipliedFullWidth(by: b.denominator)
    let right = b.numerator.multipliedFullWidth(by: a.denominator)
    return (left.high, left.low) < (right.high, right.low)
  }

  /// `30`, `30000/1001`.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

extension Rational: Codable {
  /// Writes a number, or text such as `"30000/1001"` where the fraction isn't whole.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if denominator == 1 {
      try container.encode(numerator)
    } else {
      try container.encode(description)
    }
  }

  /// Reads a whole number, or text of two whole numbers.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let whole = try? container.decode(Int.self) {
      self.init(whole)
      return
    }
    let text = try container.decode(String.self)
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let numerator = parts[0], let denominator = parts[1],
      let fraction = Rational(numerator, over: denominator)
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no fraction; write one as \"30000/1001\"")
    }
    self = fraction
  }
}

func greatestCommonDivisor(_ a: UInt, _ b: UInt) -> UInt {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(a, 1)
}
