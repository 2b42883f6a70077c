/// A text and when it is shown, in nanoseconds.
struct ShownText: Hashable, Sendable {
  let start: Int64
  let end: Int64
  let text: String
}

extension ShownText {
  /// A text that says how long it is shown, however long that is.
  init(start: Int64, duration: Int64, text: String) {
    let (end, isTooFar) = start.addingReportingOverflow(max(0, duration))
    self.init(start: start, end: isTooFar ? .max : end, text: text)
  }

  /// How long it is shown.
  var duration: Int64 { end.subtractingReportingOverflow(start).overflow ? .max : end - start }
}

/// Makes texts that are shown at once one text, a line each, for as long as they are: for what can show one
/// at a time.
///
/// A text is handed on as it comes, with what is shown beside it. What is left of others when it ends is
/// handed on before the next, or at the end.
struct TextOverlaps: Sendable {
  /// As many are shown at once at most; the oldest of more are left out.
  static let most = 1_000
  private var shown: [ShownText] = []
  /// Whether some were left out.
  private(set) var isOverfull = false

  /// What is shown from its beginning on, after what changes before that.
  mutating func add(_ text: ShownText) -> [ShownText] {
    var changes = changes(before: text.start)
    shown.removeAll { $0.end <= text.start }
    // It says no length, or a wrong one.
    guard text.end > text.start else { return changes + [text] }
    shown.append(text)
    if shown.count > Self.most {
      shown.removeFirst()
      isOverfull = true
    }
    changes.append(all(from: text.start))
    return changes
  }

  /// What is left to be shown.
  mutating func finish() -> [ShownText] {
    defer { shown = [] }
    return changes(before: .max)
  }

  private mutating func changes(before limit: Int64) -> [ShownText] {
    var changes: [ShownText] = []
    while let end = shown.map(\.end).min(), end < limit {
      shown.removeAll { $0.end <= end }
      if !shown.isEmpty { changes.append(all(from: end)) }
    }
    return changes
  }

  /// Those that are shown, until the first of them ends.
  private func all(from start: Int64) -> ShownText {
    ShownText(
      start: start, end: shown.map(\.end).min() ?? start,
      text: shown.map(\.text).joined(separator: "\n"))
  }
}
