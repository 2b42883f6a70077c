/// What is done to the samples that pass a port of an element node, on their way past its pad.
public enum PadFilter: Sendable {
  /// Samples of floating-point audio that are larger are cut to a magnitude, and those that aren't
  /// finite numbers become silence.
  case bounded(to: Double)
  /// Video whose stream doesn't say the matrix of its colours passes with the usual one of its size.
  case completedColors
  /// Video without a frame rate passes as if it had a usual one, for an encoder that doesn't begin without.
  /// Times and durations stay.
  case completedRate
  /// Interlaced video passes with caps that say which field is the first, as its first frame does.
  case completedFieldOrder
  /// Audio of other channels than an element's `audioconvert` is to make is mixed by ``ChannelTargets``.
  /// Such as can't be mixed ends the run as it comes.
  case mixed(to: ChannelTargets)
  /// Each event of tags passes with what those before it have said, for an element that keeps the newest alone.
  case gatheredTags
  /// What the stream says of itself doesn't pass.
  case withoutTags
  /// The pictures in what the stream says of itself are kept from an element that would write them into its
  /// stream's header. At the port where that stream leaves it, ``shownPictures`` has them pass on.
  case hiddenPictures
  /// Pictures that ``hiddenPictures`` has hidden pass on.
  case shownPictures
  /// The node's own function is given what the stream says of itself, and of its file, as it passes, on the
  /// streaming thread.
  case tags(@Sendable (StreamTags) -> Void)
  /// Media of a format of which the node makes an error ends the run before its first sample.
  case checked(@Sendable (MediaFormat) -> NodeError?)
  /// Media that changes to another format ends the run, with the error that the node makes of the
  /// change; `nil` lets it pass.
  case steady(@Sendable (FormatChange) -> NodeError?)
  /// The node's own function changes each sample, on the streaming thread; an error ends the run.
  case samples(@Sendable (inout SampleBuffer) throws -> Void)
  /// The node's own filter, made for each pad, changes or leaves out samples by those before them.
  case stream(@Sendable () -> any StreamFilter)
  /// What the element writes begins anew at packets for which the function says so, by their running time in
  /// nanoseconds, as a muxer begins a cluster. It is made for each pad, and called on the streaming thread.
  case beginnings(@Sendable () -> (@Sendable (_ time: Int64) -> Bool))
}

/// What is done to the samples of one stream by a value that remembers those before them.
///
/// Each pad of each run has its own. Every call comes on the streaming thread, one at a time.
public protocol StreamFilter: Sendable {
  /// Changes a sample, or returns `false` to leave it out. An error ends the run.
  mutating func pass(_ sample: inout SampleBuffer) throws(NodeError) -> Bool
}

/// A change of format in the middle of a stream.
public struct FormatChange: Hashable, Sendable {
  /// The format so far.
  public let old: MediaFormat
  /// The format of what follows.
  public let new: MediaFormat
  /// Where the samples of the old format end, in the stream's own time.
  public let time: MediaTime
}
