import GStreamer

/// What works on the bytes that a muxer writes, on their way to the file. The passes that there are
/// are its static members.
public struct MuxerPass: Sendable {
  /// Begins to watch what leaves a muxer at a pad.
  let begin: @Sendable (Pad) -> any MuxerWatch
}

/// A pass at work on one file.
protocol MuxerWatch: AnyObject, Sendable {
  /// The samples of the muxer's next track enter at a pad, and players turn them so; in the order of
  /// the tracks' numbers.
  func addTrack(_ pad: Pad, _ rotation: Rotation?)
}
