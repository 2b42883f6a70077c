/// A parameter as a node of the graph gives it.
struct DraftField {
  var key: Located<String>
  var value: Located<JSONValue>
  /// Where the values of an object's keys stand.
  var places: [String: SourcePlace] = [:]
  /// Whether the value is text only because its type isn't given.
  var isUntyped: Bool

  /// Reads what is written with its unit as a number.
  mutating func readQuantities(of info: NodeType.ParameterInfo) {
    value.value =
      Keyframes.areWritten(value.value, for: info.kind)
      ? value.value.readingKeyframes(info.kind, in: info.unit)
      : value.value.reading(info.kind, in: info.unit)
  }

  /// Gives text the type that a parameter wants, where it can be read as that.
  mutating func convert(to kind: ParameterKind) {
    guard case .string(let text) = value.value else { return }
    switch kind {
    case .bool: value.value = Bool(text).map { .bool($0) } ?? value.value
    case .integer, .number: value.value = number(text).map { .number($0) } ?? value.value
    case .list, .object, .record:
      value.value = (try? JSONReader.read(Array(text.utf8)).tree.value) ?? value.value
    default: break
    }
  }
}
