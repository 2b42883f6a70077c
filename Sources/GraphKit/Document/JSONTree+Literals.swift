extension JSONTree: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral text: String) { self.init(.string(text)) }
  /// A truth value.
  public init(booleanLiteral flag: Bool) { self.init(.bool(flag)) }
  /// A number.
  public init(integerLiteral number: Int) { self.init(.number(Double(number))) }
  /// A number.
  package init(number: Double) { self.init(.number(number)) }
  /// A list.
  public init(arrayLiteral items: JSONTree...) { self.init(.array(items)) }
  /// An object whose members keep their order.
  public init(dictionaryLiteral members: (String, JSONTree)...) { self.init(members: members) }

  /// An object whose members keep their order.
  package init(members: [(String, JSONTree)]) {
    self.init(.object(members.map { Member(key: Located($0.0), value: $0.1) }))
  }
}
