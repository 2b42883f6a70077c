/// A file, or a row of numbered ones, that a node reads or writes.
public struct NamedFile: Hashable, Sendable {
  /// Where it is. `%05d` stands for a number where ``isNumbered``.
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

/// A file's name with one number in it, written as `printf` has it: `frame%05d.png`.
private struct NumberedName {
  private let prefix: String
  private let suffix: String

  /// `nil` where the text has no number.
  init?(_ text: String) {
    guard let start = text.firstIndex(of: "%") else { return nil }
    let rest = text[text.index(after: start)...]
    let conversion = rest.drop { $0.isASCII && $0.isNumber }
    guard let letter = conversion.first, "diu".contains(letter) else { return nil }
    prefix = String(text[..<start])
    suffix = String(conversion.dropFirst())
  }

  func matches(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let number = name.dropFirst(prefix.count).dropLast(suffix.count)
    return name.count > prefix.count + suffix.count && number.allSatisfy { $0.isNumber }
  }
}
