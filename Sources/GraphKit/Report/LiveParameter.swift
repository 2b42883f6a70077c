/// A parameter that may change while the graph runs, and its present value.
public struct LiveParameter: Sendable, Hashable {
  /// How it is named: `node.parameter`.
  public var path: String
  /// What values it takes.
  public var kind: ParameterKind
  /// The unit of its values.
  public var unit: String?
  /// One line of help.
  public var help: String
  /// The value that samples meet now; `nil` where the node decides.
  public var value: JSONValue?
}

extension LiveParameter: Encodable {
  private enum Key: String, CodingKey {
    case parameter, value, type, choices, minimum, maximum, unit, help
  }

  /// Writes name, value and range at one level.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(path, forKey: .parameter)
    try container.encode(value ?? .null, forKey: .value)
    try container.encode(kind.word, forKey: .type)
    if case .choice(let words) = kind { try container.encode(words, forKey: .choices) }
    try container.encodeIfPresent(kind.bounds?.low, forKey: .minimum)
    try container.encodeIfPresent(kind.bounds?.high, forKey: .maximum)
    try container.encodeIfPresent(unit, forKey: .unit)
    try container.encode(help, forKey: .help)
  }
}

extension ParameterKind {
  /// The type in a word.
  fileprivate var word: String {
    switch self {
    case .bool: "bool"
    case .integer: "integer"
    case .number, .numberOrWord: "number"
    case .string: "string"
    case .path: "path"
    case .choice: "choice"
    case .rational: "rational"
    case .object, .record: "object"
    case .list, .tuple: "list"
    }
  }
}
