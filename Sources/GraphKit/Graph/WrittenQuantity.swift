/// Numbers with units as people write them, in the unit that a parameter has: `"1:05"` is 65 s,
/// `"500ms"` half a second, `"2MB"` two million bytes, `"128k"` 128,000 bit/s.
///
/// Units of bytes are those of IEC 80000-13: `kB` is 1,000 bytes and `KiB` 1,024.
enum WrittenQuantity {
  /// The number that a text stands for; `nil` where it is none in that unit.
  static func number(_ text: String, in unit: String) -> Double? {
    let text = text.drop { $0 == " " }
    if unit == "s" || unit == "ms", let seconds = clock(text) {
      return unit == "s" ? seconds : seconds * 1_000
    }
    let digits = text.prefix { $0.isASCII && $0.isNumber || "+-.eE".contains($0) }
    // `5e` would be a number cut off: letters belong to the unit where they end no number.
    for end in digits.indices.reversed() where Double(digits[...end]) != nil {
      let name = text[text.index(after: end)...].drop { $0 == " " }
      guard let number = Double(digits[...end]), number.isFinite else { return nil }
      return factor(of: String(name), in: unit).map { number * $0 }
    }
    return nil
  }

  /// Units and what they are of the parameter's.
  private static let factors: [String: [String: Double]] = [
    "s": [
      "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "min": 60, "m": 60,
      "h": 3_600, "d": 86_400,
    ],
    "ms": ["us": 1e-3, "µs": 1e-3, "ms": 1, "s": 1_000, "min": 60_000],
    "B": [
      "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 1_024, "MiB": 1_048_576,
      "GiB": 1_073_741_824, "TiB": 1_099_511_627_776,
    ],
    "bit/s": [
      "bit/s": 1, "k": 1e3, "kbit/s": 1e3, "M": 1e6, "Mbit/s": 1e6, "kbps": 1e3, "Mbps": 1e6,
    ],
    "Hz": ["Hz": 1, "k": 1e3, "kHz": 1e3, "MHz": 1e6],
  ]

  private static func factor(of name: String, in unit: String) -> Double? {
    name == unit ? 1 : factors[unit]?[name]
  }

  /// The seconds of `minutes:seconds` or `hours:minutes:seconds`, with a fraction or without.
  private static func clock(_ text: Substring) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last else { return nil }
    let whole = parts.dropLast().map { part in
      part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    let isDecimal = last.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
    guard isDecimal, let seconds = Double(last), seconds < 60, !whole.contains(nil) else {
      return nil
    }
    let units = whole.compactMap(\.self)
    guard units.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    return units.reduce(0.0) { $0 * 60 + Double($1) } * 60 + seconds
  }

  /// How a unit may be written, for a message; `nil` where it is only numbers.
  static func example(of unit: String) -> String? {
    switch unit {
    case "s": "a time such as `\"1:05\"` or `\"500ms\"`"
    case "ms": "a time such as `\"500ms\"`"
    case "B": "a size such as `\"2MB\"`"
    case "bit/s": "a rate such as `\"128k\"`"
    case "Hz": "a frequency such as `\"48kHz\"`"
    default: nil
    }
  }
}

extension JSONValue {
  /// The value with every number that is written with its unit read as one.
  func reading(_ kind: ParameterKind, in unit: String?) -> JSONValue {
    switch (kind, self) {
    case (.integer, .string(let text)), (.number, .string(let text)),
      (.numberOrWord, .string(let text)):
      guard let unit, let number = WrittenQuantity.number(text, in: unit) else { return self }
      return .number(number)
    case (.list(let item, _), .array(let values)), (.tuple(let item, _), .array(let values)):
      return .array(values.map { $0.reading(item, in: unit) })
    case (.record(let fields), .object(let values)):
      return .object(
        values.reduce(into: values) { result, value in
          guard let field = fields.first(where: { $0.name == value.key }) else { return }
          result[value.key] = value.value.reading(field.kind, in: field.unit)
        })
    default: return self
    }
  }
}
