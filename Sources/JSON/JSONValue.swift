/// A JSON value without its place: what a parameter holds.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value as a whole number; `nil` where it isn't one that `Int` holds exactly.
  public var wholeNumber: Int? {
    guard case .number(let number) = self else { return nil }
    return Int(exactly: number)
  }
}

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

extension JSONValue: Encodable {
  /// Writes the value as itself.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let items): try container.encode(items)
    case .object(let fields): try container.encode(fields)
    }
  }
}

extension JSONValue: Decodable {
  /// Reads any JSON value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let items = try? container.decode([JSONValue].self) {
      self = .array(items)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}

extension JSONValue {
  /// A single value as a person would write it.
  package var plain: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): wholeNumber.map { "\($0)" } ?? "\(number)"
    case .string(let text): text
    case .array(let values): "[\(values.map(\.plain).joined(separator: ", "))]"
    case .object(let values):
      "{"
        + values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.plain)" }
        .joined(separator: ", ") + "}"
    }
  }
}

extension JSONValue {
  /// What the value is, in a sentence.
  package var spoken: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
