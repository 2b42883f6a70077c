/// One structure of a text of caps: `video/x-raw(memory:SystemMemory), format=(string)I420`.
///
/// The grammar is that of GStreamer's `gst_caps_to_string`: structures separated by `;`, each a
/// name, perhaps features in parentheses, and fields `name=(type)value` after commas.
package struct CapsStructure: Equatable {
  /// The media type, or `ANY`, `EMPTY` or `NONE`.
  package var name: String
  /// What the memory has to be, such as `memory:SystemMemory`; empty where nothing is said.
  var features: [String] = []
  /// The fields that were read.
  var fields: [String: CapsValue] = [:]

  /// Whether the samples lie in ordinary memory, which is all that GraphKit reads.
  var isInSystemMemory: Bool {
    features.allSatisfy { !$0.hasPrefix("memory:") || $0 == "memory:SystemMemory" }
  }

  /// A whole number, where the field has just one.
  func integer(_ field: String) -> Int? { text(field).flatMap { Int($0) } }

  /// A word, where the field has just one.
  package func text(_ field: String) -> String? {
    guard case .one(let text) = fields[field] else { return nil }
    return text
  }

  /// A fraction above zero, where the field has just one.
  func fraction(_ field: String) -> Rational? {
    guard let parts = text(field)?.split(separator: "/"), parts.count <= 2,
      let numerator = parts.first.flatMap({ Int($0) }), numerator > 0
    else { return nil }
    return Rational(numerator, over: parts.count == 2 ? Int(parts[1]) ?? 0 : 1)
  }
}

/// What a field of caps says: one value, or several that will do.
indirect enum CapsValue: Equatable {
  /// One value, as text without its type and quotes.
  case one(String)
  /// Any of some values: `{ I420, NV12 }`.
  case list([CapsValue])
  /// Any value between two: `[ 1, 2147483647 ]`.
  case range(String, String)
  /// A value of no interest here: an array, a structure, a range with a step.
  case opaque

  /// Whether one value is among those that will do.
  func admits(_ text: String) -> Bool {
    switch self {
    case .one(let own): own == text
    case .list(let values): values.contains { $0.admits(text) }
    case .range(let low, let high):
      if let low = Int(low), let high = Int(high), let number = Int(text) {
        low <= number && number <= high
      } else {
        false
      }
    case .opaque: false
    }
  }

  /// All the values that will do, as text; `nil` where they are too many to name.
  var choices: [String]? {
    switch self {
    case .one(let text): return [text]
    case .list(let values):
      let choices = values.map(\.choices)
      return choices.contains(nil) ? nil : choices.flatMap { $0 ?? [] }
    case .range(let low, let high):
      guard let low = Int(low), let high = Int(high), low <= high,
        low.distanceIfSmall(to: high)
      else { return nil }
      return (low...high).map { "\($0)" }
    case .opaque: return nil
    }
  }
}

extension Int {
  fileprivate func distanceIfSmall(to high: Int) -> Bool {
    let (distance, overflows) = high.subtractingReportingOverflow(self)
    return !overflows && distance < 16
  }
}
