/// What has become of a node's connection to what sends or receives over a network.
public struct ConnectionChange: Hashable, Sendable {
  /// What can become of it.
  public enum State: String, Hashable, Sendable, Codable {
    /// Samples pass.
    case connected
    /// A connection over which samples passed is lost.
    case lost
    /// A connection couldn't be made, or brought nothing.
    case refused
  }

  /// What has become of it.
  public var state: State
  /// Why it was lost or couldn't be made.
  public var reason: String?
  /// For how long nothing came, in seconds, where samples come again.
  public var awaySeconds: Double?

  /// A change.
  public init(_ state: State, reason: String? = nil, awaySeconds: Double? = nil) {
    self.state = state
    self.reason = reason
    self.awaySeconds = awaySeconds
  }
}

/// What a node asks and reports of the run that it is in.
package struct SourceRun: Sendable {
  /// How long the run has played.
  package var time: @Sendable () -> MediaTime?
  /// Takes a change of the source's connection.
  package var report: @Sendable (ConnectionChange) -> Void = { _ in }
  /// Takes whether the source waits for its connection.
  package var await: @Sendable (Bool) -> Void = { _ in }
  /// Takes that the node is at work.
  package var advance: @Sendable () -> Void = {}
  /// Whether the run has been stopped.
  package var isStopped: @Sendable () -> Bool = { false }
  /// Whether nothing is worked on to its end, since it was cancelled.
  package var isCancelled: @Sendable () -> Bool = { false }
  /// Whether the run has failed.
  package var hasFailed: @Sendable () -> Bool = { false }
  /// Ends the run in order, as a failed one.
  package var end: @Sendable (NodeError) -> Void = { _ in }
  /// Takes that the node has failed, though the run goes on.
  package var fail: @Sendable (NodeError) -> Void = { _ in }

  /// A source that is in no run: time passes from now on.
  package static var alone: SourceRun {
    let start = ContinuousClock.now
    return SourceRun(time: { .seconds((ContinuousClock.now - start) / .seconds(1)) })
  }

  package init(time: @escaping @Sendable () -> MediaTime?) { self.time = time }
}
