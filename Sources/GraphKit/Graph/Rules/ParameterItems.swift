/// The items of a list or a record hold: each value in its range, each key known and there.
enum ParameterItems: NodeRule {
  static func check(_ node: DraftNode, of type: NodeType) -> [Diagnostic] {
    node.values(of: type).flatMap { field, info -> [Diagnostic] in
      var inspection = ItemInspection(type: type.name)
      switch (field.value.value, info.kind) {
      case (.array(let values), .list(let item, let limit)):
        inspection.check(values, item, limit: limit, info.name, unit: info.unit)
      case (.object(let members), .record(let fields)):
        inspection.check(members, fields, info.name)
      default: return []
      }
      if !inspection.found.isEmpty, !info.kind.hasKeyframes, field.value.value.isLikeKeyframes {
        let problem = NodeProblem.noKeyframes(info.name, expected: info.kind.expectation(info.unit))
        return [
          Diagnostic(.node(problem), at: field.value.place, node: node.name.value, key: info.name)
        ]
      }
      return inspection.found.map { problem, key in
        Diagnostic(.node(problem), at: node.place(of: key), node: node.name.value, key: key)
      }
    }
  }
}

extension JSONValue {
  /// Whether it is a list of times, each with a list as its value.
  fileprivate var isLikeKeyframes: Bool {
    guard case .array(let items) = self, !items.isEmpty else { return false }
    return items.allSatisfy { item in
      guard case .array(let parts) = item, (2...3).contains(parts.count),
        case .number = parts[0], case .array = parts[1]
      else { return false }
      return true
    }
  }
}

/// What is wrong with the values of a list, with the key of each.
private struct ItemInspection {
  let type: String
  private(set) var found: [(problem: NodeProblem, key: String)] = []

  init(type: String) { self.type = type }

  private mutating func note(_ problem: NodeProblem, _ key: String) { found.append((problem, key)) }

  private mutating func check(
    _ value: JSONValue, _ kind: ParameterKind, _ key: String, unit: String?
  ) {
    guard value.fits(kind) else {
      let expected = kind.expectation(unit)
      return note(.wrongType(key, found: value.spoken, expected: expected), key)
    }
    switch (value, kind) {
    case (.number(let number), _):
      guard let bounds = kind.bounds, !(bounds.low...bounds.high).contains(number) else { return }
      let (low, high) = (JSONValue.number(bounds.low), JSONValue.number(bounds.high))
      note(.outOfRange(key, value: value, low: low, high: high, unit: unit), key)
    case (.string(let word), .choice(let words)) where !words.contains(word):
      note(.notAChoice(key, type: type, value: word, choices: words), key)
    case (.object(let members), .record(let fields)): check(members, fields, key)
    case (.array(let values), .list(let item, let limit)):
      check(values, item, limit: limit, key, unit: unit)
    case (.array(let values), .tuple(let item, let count)):
      check(values, item, limit: count, key, unit: unit)
    default: return
    }
  }

  mutating func check(
    _ values: [JSONValue], _ item: ParameterKind, limit: Int, _ key: String, unit: String?
  ) {
    if values.count > limit {
      note(
        .wrongType(key, found: "a list of \(values.count)", expected: "at most \(limit) values"),
        key)
    }
    for (index, value) in values.enumerated() {
      check(value, item, "\(key)[\(index)]", unit: unit)
    }
  }

  mutating func check(
    _ members: [String: JSONValue], _ fields: [RecordField], _ key: String
  ) {
    let known = fields.map(\.name)
    for name in members.keys.sorted() where !known.contains(name) {
      note(.unknownParameter(name, type: "`\(key)`", known: known), "\(key).\(name)")
    }
    for field in fields {
      if let value = members[field.name] {
        check(value, field.kind, "\(key).\(field.name)", unit: field.unit)
      } else if field.isRequired {
        note(.missingParameter(field.name, type: "`\(key)`", help: field.help), key)
      }
    }
  }
}
