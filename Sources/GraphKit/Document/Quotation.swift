/// Text as a message quotes it: cut where it is long, and with nothing that moves a terminal's
/// cursor.
func excerpt(_ text: String, limit: Int = 40) -> String {
  let scalars = text.unicodeScalars
  var shown = ""
  for scalar in scalars.prefix(limit) {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return scalars.dropFirst(limit).isEmpty ? shown : shown + "…"
}

extension JSONValue {
  /// What the value is, in a sentence.
  var spoken: String {
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
