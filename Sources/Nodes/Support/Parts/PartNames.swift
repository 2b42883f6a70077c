import GraphKit

/// The names of a movie's parts: a path with `{number}`, `{date}` and `{time}` in it, the latter in
/// universal time.
struct PartNames: Sendable {
  /// The parts that were there already, the oldest first.
  let existing: [String]
  /// The first part.
  let first: String
  private let pattern: String
  private var number: Int

  private static let fields = ["{number}", "{date}", "{time}"]

  /// Whether a path is one of parts.
  static func hasField(_ path: String) -> Bool { fields.contains { path.contains($0) } }

  /// Names after those of `existing`.
  init(_ pattern: String, existing: [String], at secondsSince1970: Int) {
    self.pattern = pattern
    // Equally long names are in the order of their numbers and dates.
    self.existing = existing.sorted { ($0.count, $0) < ($1.count, $1) }
    number = 1 + (existing.compactMap { Self.number(of: $0, pattern) }.max() ?? 0)
    first = Self.path(pattern, number, secondsSince1970)
  }

  /// The name of the next part, which begins now.
  mutating func next(at secondsSince1970: Int) -> String {
    number += 1
    return Self.path(pattern, number, secondsSince1970)
  }

  private static func path(_ pattern: String, _ number: Int, _ time: Int) -> String {
    let words = CalendarTime.text(secondsSince1970: time).dropLast().split(separator: "T")
    return pattern.replacing("{number}", with: StreamText.digits(number, 5))
      .replacing("{date}", with: words[0])
      .replacing("{time}", with: words[1].replacing(":", with: "-"))
  }

  /// The number in the name of a part.
  private static func number(of path: String, _ pattern: String) -> Int? {
    guard let place = pattern.firstRange(of: "{number}") else { return nil }
    var before = String(pattern[..<place.lowerBound])
    // Dates and times are as long as these.
    before = before.replacing("{date}", with: "0000-00-00").replacing("{time}", with: "00-00-00")
    return Int(path.dropFirst(before.count).prefix { $0.isASCII && $0.isNumber })
  }
}
