/// Something that happened while a pipeline ran.
public struct PipelineEvent: Sendable, Hashable {
  /// Seconds of wall time since the pipeline was made.
  public var time: Double
  /// What happened.
  public var kind: Kind

  /// What can happen.
  public enum Kind: Sendable, Hashable {
    /// The pipeline is in a new state.
    case state(PipelineState)
    /// How far the run has come; about ten times a second.
    case progress(Progress)
    /// A wire has become ready for more media data, or isn't any more, and why.
    case readiness(wire: String, isReady: Bool, cause: String?)
    /// A sample was dropped.
    case drop(wire: String, reason: DropReason)
    /// A live parameter changed.
    case parameter(ParameterChange)
    /// A live graph that can't keep up has given up quality, or got some back.
    case economy(EconomyChange)
    /// A moment of a file was marked.
    case mark(Mark)
    /// A node's connection over a network has changed.
    case connection(node: String, ConnectionChange)
    /// A node has measured something.
    case measurement(node: String, values: [String: JSONValue])
    /// Something that a person should know; the run goes on.
    case warning(node: String?, message: String)
    /// The run is over; nothing follows.
    case end(PipelineState)
  }

  /// The names of the kinds, as JSON has them.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    case state, progress, readiness, drop, parameter, economy, mark, connection, measurement
    case warning, end
  }

  /// How far a run has come.
  public struct Progress: Sendable, Hashable {
    /// Media time that has reached the sinks, in seconds.
    public var position: Double
    /// Media time in all, in seconds; `nil` where it isn't known.
    public var duration: Double?
    /// Media time against wall time: 2 is twice as fast as playing.
    public var speed: Double
    /// An estimate of the wall time that is left, in seconds; `nil` where there is none.
    public var secondsLeft: Double?
    /// 1 in the first of two passes, in which nothing is written; `nil` at all other times.
    public var pass: Int?

    /// The part that is done, from 0 to 1.
    public var fraction: Double? {
      duration.flatMap { $0 > 0 ? max(0, min(1, position / $0)) : nil }
    }
  }
}
