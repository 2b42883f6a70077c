/// The fields of a JSON object that another part of GraphKit has written.
package struct JSONFields {
  private let fields: [String: JSONValue]

  /// Reads an object; `nil` where it is none, or longer than so many bytes.
  package init?(line: [UInt8], limit: Int = JSONReader.maximumBytes) {
    guard let tree = JSONTree(answer: line, limit: limit), case .object(let fields) = tree.value
    else {
      return nil
    }
    self.fields = fields
  }

  package init?(_ value: JSONValue) {
    guard case .object(let fields) = value else { return nil }
    self.fields = fields
  }

  package func text(_ key: String) -> String? {
    guard case .string(let text)? = fields[key] else { return nil }
    return text
  }

  package func number(_ key: String) -> Double? {
    guard case .number(let number)? = fields[key] else { return nil }
    return number
  }

  package func whole(_ key: String) -> Int? { fields[key]?.wholeNumber }

  package func flag(_ key: String) -> Bool { fields[key] == .bool(true) }

  /// The texts of a list.
  package func list(_ key: String) -> [String] {
    values(key).compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  package func values(_ key: String) -> [JSONValue] {
    guard case .array(let items)? = fields[key] else { return [] }
    return items
  }

  /// The fields of an object in it.
  package func object(_ key: String) -> JSONFields? { fields[key].flatMap { JSONFields($0) } }

  /// The texts of an object.
  package func texts(_ key: String) -> [String: String] {
    guard case .object(let members)? = fields[key] else { return [:] }
    return members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
  }
}
