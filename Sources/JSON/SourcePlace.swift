/// A line and a column in a file, both counted from 1.
///
/// A column is a Unicode scalar: `é`, `🎬` and a tab are one each.
public struct SourcePlace: Hashable, Sendable, Codable, Comparable {
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int
  /// The file's name, where it is another than the one that is read: one that it names.
  public var file: String?

  /// A place.
  public init(line: Int, column: Int, file: String? = nil) {
    self.line = line
    self.column = column
    self.file = file
  }

  /// Compares by file, then by line, then by column.
  public static func < (a: SourcePlace, b: SourcePlace) -> Bool {
    (a.file ?? "", a.line, a.column) < (b.file ?? "", b.line, b.column)
  }
}

/// A value and where a file has it. Two are equal where the values are, wherever they stand.
public struct Located<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  public var value: Value
  /// Where the file has it; `nil` where it comes from no file.
  public var place: SourcePlace?

  /// A value at a place.
  public init(_ value: Value, at place: SourcePlace? = nil) {
    self.value = value
    self.place = place
  }

  /// Compares the values, not their places.
  public static func == (a: Self, b: Self) -> Bool { a.value == b.value }
  /// Hashes the value, not its place.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
