import GraphKit

/// The names of thumbnails: a path with `{number}` in it, or one alone.
struct ThumbnailNames: Sendable {
  private static let field = "{number}"
  private let pattern: String

  /// Names after a pattern.
  init(_ pattern: String) { self.pattern = pattern }

  /// Whether there is a file for each number.
  var isNumbered: Bool { pattern.contains(Self.field) }

  /// Whether the number is in the name of a folder.
  var isInFolder: Bool {
    guard let slash = pattern.lastIndex(of: "/") else { return false }
    return pattern[..<slash].contains(Self.field)
  }

  /// The file of a number, counted from 1.
  subscript(number: Int) -> String {
    pattern.replacing(Self.field, with: StreamText.digits(number, 5))
  }

  /// The WebVTT file beside them.
  var captions: String {
    let start = pattern.lastIndex(of: "/").map { pattern.index(after: $0) } ?? pattern.startIndex
    var name = String(pattern[start...].replacing(Self.field, with: ""))
    if let dot = name.lastIndex(of: ".") { name = String(name[..<dot]) }
    while let last = name.last, "-_. ".contains(last), name.count > 1 { name.removeLast() }
    return pattern[..<start] + (name.isEmpty ? "thumbnails" : name) + ".vtt"
  }
}
