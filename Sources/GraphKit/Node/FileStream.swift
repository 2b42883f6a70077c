import Containers

/// A stream of a file, as the file has it, where a source gives it so: the source makes nothing of
/// what a wire asks for, and none of the file's streams waits for another.
public struct FileStream: Hashable, Sendable {
  /// Which part of it is presented, where the file says.
  public var edit: StreamEdit?
  /// How long it is, or the part of it that is read, where that is known.
  public var duration: MediaTime?
  /// Its own time at which the file says that it ends.
  public var end: MediaTime?
  /// The part of what is presented that is read, in the file's time; `nil` for all. Its duration may
  /// be infinite. Packets that only lead to it are decoded and discarded, and it begins at zero.
  public var range: MediaTimeRange?
  /// Whether its reader can be moved to a time, and then gives the packets of that, with the times that
  /// they have where the file is read from its beginning.
  public var canSeek = false
  /// Whether it is a single frame, which has no length.
  public var isStill = false
  /// Whether a reader may show it only after samples of the file's other streams.
  public var comesLate = false
  /// Whether its frames may be presented in another order than they are decoded, and the file may
  /// not say when that is.
  public var isReordered = false

  /// Whether another process reads it, and does what ``edit`` and ``range`` say: its packets come as a
  /// sink takes them, in turn with those of the file's other streams.
  package var isHandedOver = false
  /// Its file, of a web server, whose copy here is read.
  package var fetched: InputFile?
  /// The parts of its file that have titles.
  package var chapters: [MovieChapter] = []
  /// Where its file was recorded (ISO 6709), where that says.
  package var location: String?
  /// What its file says of it for those who choose among several.
  package var label: TrackLabel?

  /// How much earlier, in nanoseconds, frames of a range come than they are presented after its
  /// beginning, but where that is the stream's own: so far inside of a frame no rounding makes it one
  /// more or less.
  package static let frameMargin: Int64 = 2

  /// A stream that is presented as it comes.
  public init() {}
}

extension Node {
  /// Whether each stream of its file has a reader of its own, so that none waits for another.
  var readsStreamsApart: Bool {
    fileStreams.map { streams in !streams.values.contains(where: \.isHandedOver) } ?? false
  }
}
