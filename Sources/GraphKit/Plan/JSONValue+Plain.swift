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
