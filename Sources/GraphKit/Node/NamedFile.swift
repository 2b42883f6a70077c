/// A file, or a row of numbered ones, that a node reads or writes.
public struct NamedFile: Hashable, Sendable {
  /// Where it is. Where ``isNumbered``, `%05d` or `{number}` stands for a number, and `{date}` and
  /// `{time}` for these.
  public var path: String
  /// The key that names it.
  public var key: String
  /// Whether the node writes it.
  public var isWritten: Bool

  /// A file by its path.
  public init(_ path: String, key: String, isWritten: Bool) {
    self.path = path
    self.key = key
    self.isWritten = isWritten
  }

  /// Whether the path stands for a row of files with numbers in their names.
  public var isNumbered: Bool { NumberedName(path) != nil }

  /// The files that are there already, of those that the path stands for.
  public func existing(in environment: any Environment) -> [String] {
    existing(among: environment.names(in:)).filter { environment.outputPlace($0) == .file }
  }

  /// The path, or of a row of files those that a folder has.
  func existing(among names: (String) -> [String]) -> [String] {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let name = NumberedName(String(path[start...])) else { return [path] }
    let folder = path[..<start]
    return names(folder.isEmpty ? "." : String(folder)).filter(name.matches).map { folder + $0 }
  }
}

/// A file's name with fields in it: a number as `printf` has it (`frame%05d.png`), or `{number}`,
/// `{date}` and `{time}`.
private struct NumberedName {
  /// What is before, between and after the fields.
  private let texts: [Substring]
  private let fields: [Substring]

  /// `nil` where the text has no field.
  init?(_ text: String) {
    let found = text.matches(of: /%\d*[diu]|\{number\}|\{date\}|\{time\}/)
    guard !found.isEmpty else { return nil }
    fields = found.map(\.output)
    let starts = [text.startIndex] + found.map(\.range.upperBound)
    let ends = found.map(\.range.lowerBound) + [text.endIndex]
    texts = zip(starts, ends).map { text[$0..<$1] }
  }

  func matches(_ name: String) -> Bool {
    guard name.hasPrefix(texts[0]) else { return false }
    var rest = name.dropFirst(texts[0].count)
    for (field, text) in zip(fields, texts.dropFirst()) {
      guard let value = Self.value(of: field, in: rest) else { return false }
      rest = rest.dropFirst(value.count)
      guard rest.hasPrefix(text) else { return false }
      rest = rest.dropFirst(text.count)
    }
    return rest.isEmpty
  }

  /// What a field stands for at the beginning of a text.
  private static func value(of field: Substring, in text: Substring) -> Substring? {
    switch field {
    case "{date}": return text.prefixMatch(of: /\d{4}-\d\d-\d\d/)?.output
    case "{time}": return text.prefixMatch(of: /\d\d-\d\d-\d\d/)?.output
    default:
      let digits = text.prefix { $0.isNumber }
      return digits.isEmpty ? nil : digits
    }
  }
}
