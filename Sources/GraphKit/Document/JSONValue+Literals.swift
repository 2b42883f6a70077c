extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A truth value.
  public init(booleanLiteral flag: Bool) { self = .bool(flag) }
  /// A number.
  public init(integerLiteral number: Int) { self = .number(Double(number)) }
  /// A number.
  public init(floatLiteral number: Double) { self = .number(number) }
  /// Text.
  public init(stringLiteral text: String) { self = .string(text) }
  /// A list.
  public init(arrayLiteral items: JSONValue...) { self = .array(items) }
  /// An object; of a key that comes again the last value holds.
  public init(dictionaryLiteral fields: (String, JSONValue)...) {
    self = .object(Dictionary(fields, uniquingKeysWith: { $1 }))
  }
}
