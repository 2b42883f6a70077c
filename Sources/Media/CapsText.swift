/// A structure of caps that is being written: `video/x-raw, format=(string)I420`.
struct CapsText {
  private(set) var text: String

  /// A media type, perhaps with fields.
  package init(_ text: String) { self.text = text }

  /// Adds a field of several values that will do; none of them adds nothing.
  mutating func add(_ field: String, _ type: String, anyOf values: [String]) {
    guard !values.isEmpty else { return }
    let quoted = values.map(Self.quote)
    let value = quoted.count == 1 ? quoted[0] : "{ \(quoted.joined(separator: ", ")) }"
    text += ", \(field)=(\(type))\(value)"
  }

  /// Adds a whole number, where there is one.
  mutating func add(_ field: String, _ number: Int?) {
    add(field, "int", anyOf: number.map { ["\($0)"] } ?? [])
  }

  /// Adds a fraction, where there is one.
  mutating func add(_ field: String, _ fraction: Rational?) {
    guard let fraction else { return }
    add(field, "fraction", anyOf: ["\(fraction.numerator)/\(fraction.denominator)"])
  }

  private static func quote(_ value: String) -> String {
    let isPlain = value.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_-+/:.".utf8.contains(byte)
      }
    }
    guard !isPlain || value.isEmpty else { return value }
    let escaped = value.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"\(String(escaped))\""
  }
}
