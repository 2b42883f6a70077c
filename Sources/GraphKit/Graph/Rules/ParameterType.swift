/// A parameter's value is of the type that the parameter declares.
enum ParameterType: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    node.values(of: type).compactMap { field, info in
      let value = field.value.value
      guard !value.fits(info.kind) else { return nil }
      // What was written on the command line tells more than that it is text.
      let isQuoted = field.isUntyped && value.isText || info.kind.isWhole && value.isNumber
      let found = isQuoted ? plain(value) : value.spoken
      let problem = NodeProblem.wrongType(
        info.name, found: found, expected: info.kind.expectation(info.unit))
      return Diagnostic(
        .node(problem), at: field.value.place, node: node.name.value, key: info.name)
    }
  }
}

extension DraftNode {
  /// The fields that the type knows, with what it says of them; of keyframes the value of each.
  func values(of type: NodeType) -> [(field: DraftField, info: NodeType.ParameterInfo)] {
    fields.flatMap { field in
      guard let info = type.parameters.first(where: { $0.name == field.key.value }) else {
        return [(DraftField, NodeType.ParameterInfo)]()
      }
      return field.values(of: info.kind).map { ($0, info) }
    }
  }
}

extension JSONValue {
  fileprivate var isNumber: Bool {
    guard case .number = self else { return false }
    return true
  }

  fileprivate var isText: Bool {
    guard case .string = self else { return false }
    return true
  }

  /// Whether the value is of the JSON type that a kind wants; what is in a list is looked at apart.
  func fits(_ kind: ParameterKind) -> Bool {
    switch (self, kind) {
    case (.bool, .bool), (.number, .number), (.object, .object): true
    case (.array, .list), (.object, .record): true
    case (.array(let values), .tuple(_, let count)): values.count == count
    case (.string, .string), (.string, .path), (.string, .choice): true
    case (.number, .numberOrWord), (.string, .numberOrWord): true
    case (.number(let number), .integer): number == number.rounded()
    case (_, .rational): rational.map { $0.numerator > 0 } ?? false
    default: false
    }
  }
}

extension ParameterKind {
  fileprivate var isWhole: Bool {
    switch self {
    case .integer, .rational: true
    default: false
    }
  }

  /// What a value should be, as a sentence has it.
  func expectation(_ unit: String?) -> String {
    let written = unit.flatMap { WrittenQuantity.example(of: $0) }.map { ", or \($0)" } ?? ""
    let unit = unit.map { " (\($0))" } ?? ""
    return switch self {
    case .bool: "true or false"
    case .integer: "a whole number\(unit)\(written)"
    case .number: "a number\(unit)\(written)"
    case .numberOrWord(_, let word): "a number\(unit), or `\"\(word)\"`"
    case .string: "text"
    case .path: "a file's path as text"
    case .choice(let words): anyOf(words)
    case .rational: "a positive number\(unit), or a fraction such as `\"30000/1001\"`"
    case .object, .record: "an object: `{ … }`"
    case .list: "a list: `[ … ]`"
    case .tuple(_, let count): "a list of \(count): `[ … ]`"
    }
  }
}
