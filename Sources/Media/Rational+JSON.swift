import JSON

extension JSONValue {
  /// The value as a fraction: a number with up to three decimals, or text such as `"30000/1001"`.
  public var rational: Rational? {
    switch self {
    case .number(let number):
      guard let thousandths = Int(exactly: (number * 1000).rounded()) else { return nil }
      return Rational(thousandths, over: 1000)
    case .string(let text):
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard let numerator = parts.first.flatMap({ Int($0) }), parts.count <= 2 else { return nil }
      guard parts.count == 2 else { return Rational(numerator) }
      return Int(parts[1]).flatMap { Rational(numerator, over: $0) }
    default: return nil
    }
  }
}

extension Rational {
  /// The fraction as graph files write it.
  public var json: JSONValue {
    denominator == 1 ? .number(Double(numerator)) : .string(description)
  }
}
