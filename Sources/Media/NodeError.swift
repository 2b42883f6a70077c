/// What went wrong in a node, and what to do about it.
public struct NodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var message: String
  /// What to do.
  public var remedy: String
  /// The parameter or port to blame, where there is one.
  public var key: String?
  /// Whether the same may work at another time, as where a server doesn't answer.
  public var isTemporary = false
  /// Whether there is no room for a file that is written, as on a full disk.
  public var isOutOfRoom = false

  /// An error with its remedy.
  public init(_ message: String, remedy: String, key: String? = nil) {
    self.message = message
    self.remedy = remedy
    self.key = key
  }

  public var description: String { "\(message); \(remedy)" }
}
