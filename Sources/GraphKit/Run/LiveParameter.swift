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

extension Pipeline {
  /// The parameters that may change while the graph runs, by the order of their names.
  public var liveParameters: [LiveParameter] {
    lowered.changes.sorted { $0.key < $1.key }.flatMap { name, changes in
      let node = changes.present
      return changes.type.parameters.filter(\.isLive).map { info in
        LiveParameter(
          path: "\(name).\(info.name)", kind: info.kind, unit: info.unit, help: info.help,
          value: info.read(node))
      }
    }
  }

  /// The present value of any parameter, live or not, by `node.parameter`; `nil` where the node
  /// decides.
  public func value(of path: String) throws(NodeError) -> JSONValue? {
    let (name, info) = try parameter(path)
    return (lowered.changes[name]?.present ?? plan[name]?.node).flatMap { info.read($0) }
  }
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
