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
