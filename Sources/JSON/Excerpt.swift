/// Text as a message quotes it: cut where it is long, and with nothing that moves a terminal's
/// cursor.
package func excerpt(_ text: String, limit: Int = 40) -> String {
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

/// A byte in two digits.
package func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.count < 2 ? "0" + digits : digits
}
