/// What became of a node's connection over a network in a run.
public struct ConnectionReport: Hashable, Sendable, Codable {
  /// How often samples began to pass.
  public var connected = 0
  /// How often a connection over which samples passed was lost.
  public var lost = 0
  /// How often a connection couldn't be made, or brought nothing.
  public var refused = 0
  /// For how long nothing passed between two connections, in seconds, all in all.
  public var awaySeconds = 0.0

  /// No connection yet.
  public init() {}

  mutating func add(_ change: ConnectionChange) {
    switch change.state {
    case .connected: connected += 1
    case .lost: lost += 1
    case .refused: refused += 1
    }
    awaySeconds += change.awaySeconds ?? 0
  }
}
