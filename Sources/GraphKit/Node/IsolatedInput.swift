/// A file that a process of its own reads and decodes, and what that may use.
public struct IsolatedInput: Hashable, Sendable {
  /// The file, on this machine.
  public var path: String
  /// Where the part that is read begins, in seconds; `nil` for the file's beginning.
  public var from: Double?
  /// Where it ends; `nil` for the file's end, or where ``duration`` says.
  public var to: Double?
  /// How long it is; `nil` for up to ``to``.
  public var duration: Double?
  /// For how long the process may bring nothing, in seconds.
  public var timeLimit = 30.0
  /// The memory that the process may have, in bytes.
  public var memoryLimit = 4096 << 20

  /// A whole file.
  public init(_ path: String) { self.path = path }
}
