import Containers

/// The file that a sink of elements writes, as a value that the sink hands over: where the file is,
/// what its tracks ask of the inputs, what writes it, how it is finished, and what it then holds. What
/// is made like a file and handed to a program is one without a place.
///
/// The engine opens the file when the run begins, gives it to the ``TrackWriter`` or its descriptor
/// to the chain's last element as the property `fd`, and closes it after the run. An ``OutputFile`` alone is one that the
/// elements write as it stays.
public protocol FileOutput: Sendable {
  /// Where the file is; `nil` where what is written goes to no file.
  var file: OutputFile? { get }

  /// What the file's tracks ask of the inputs, a track each in their order; `nil`, the default, for
  /// a file without tracks.
  var tracks: TrackRules? { get }

  /// How players turn the frames of all tracks; `nil`, the default, for each as it came.
  var rotation: Rotation? { get }

  /// Writes the file's tracks into the open file, in place of elements; `nil`, the default, where the
  /// chain's elements write it. A chain without elements needs one.
  func makeWriter(_ tracks: [OutputTrack], to file: WritableFile) -> (any TrackWriter)?

  /// The same, where the output is a folder of files.
  func makeWriter(_ tracks: [OutputTrack], in folder: WritableFolder) -> (any TrackWriter)?

  /// The same, where there is no file. What it is given asks the encoders before it for a key frame: the
  /// first after a time of the run, or with `nil` as soon as they can make one, as
  /// ``WritableFile/askForKeyFrame()`` does.
  func makeWriter(
    _ tracks: [OutputTrack], askingForKeyFrames ask: @escaping @Sendable (MediaTime?) -> Void
  ) -> (any TrackWriter)?

  /// The caps that a track takes of an input, as `gst-launch-1.0` writes them: how a parser before it
  /// is to frame its packets, say. Asked only where there is a writer; by default those of `format`.
  func trackCaps(for format: FormatConstraint) -> String

  /// How much the writer takes at once of a file whose samples are copied as they are, in nanoseconds;
  /// `nil`, the default, where it has to be handed each sample.
  var pieceDuration: Int64? { get }

  /// What is done to what comes to the first element's pad of an input, given what is known of its
  /// track beforehand. By default nothing.
  func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter]

  /// Completes the file, given what is known of each track: called once, after every input has
  /// ended and the writer or the elements have done with the file, before the run counts as completed. Not on a
  /// streaming thread; it may take as long as a copy of the file. A file that it fails on is left
  /// as it was. By default nothing is left to do.
  func finish(_ tracks: [OutputTrack]) throws(NodeError)

  /// What the finished file holds of its tracks, by their numbers from 1, as a look into it finds.
  /// The run compares that with what came, and warns of what is missing. `nil`, the default, where
  /// the file can't be read so.
  func writtenTracks() -> [Int: WrittenTrack]?
}

extension FileOutput {
  public var tracks: TrackRules? { nil }
  public var rotation: Rotation? { nil }
  public func makeWriter(_ tracks: [OutputTrack], to file: WritableFile) -> (any TrackWriter)? {
    nil
  }
  public func makeWriter(
    _ tracks: [OutputTrack], in folder: WritableFolder
  ) -> (any TrackWriter)? { nil }
  public func makeWriter(
    _ tracks: [OutputTrack], askingForKeyFrames ask: @escaping @Sendable (MediaTime?) -> Void
  ) -> (any TrackWriter)? { nil }
  public func trackCaps(for format: FormatConstraint) -> String { format.capsText }
  public var pieceDuration: Int64? { nil }
  public func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] { [] }
  public func finish(_ tracks: [OutputTrack]) throws(NodeError) {}
  public func writtenTracks() -> [Int: WrittenTrack]? { nil }
}

extension OutputFile: FileOutput {
  public var file: OutputFile? { self }
}

/// What the tracks of a file ask of what enters them.
public struct TrackRules: Hashable, Sendable {
  /// What messages call such a file: `movie`.
  public var fileName: String
  /// Whether a track has one format for good.
  public var haveOneFormat = true
  /// Whether every sample has to say when it is presented.
  public var needTimes = true
  /// Whether the file can say that players skip what a track begins with, so that packets which are
  /// only there to be decoded are copied too.
  public var skipLeads = true
  /// The codecs of which it can, where it can't of all.
  public var leadCodecs: [Codec] = []
  /// The interval at whose multiples the encoders of the run are asked for key frames, all at the
  /// same times of the run; `nil` where they place them as they like.
  public var keyFrameInterval: MediaTime?
  /// Whether the file's writer asks for key frames besides, one by one.
  public var asksForKeyFrames = false
  /// Codecs of which a sample of the file may be several packets as they come: its parser puts them
  /// together, and samples are counted after it.
  public var gatheredCodecs: [Codec] = []

  /// Whether what isn't in the segments of its stream is left out before, since what takes the packets
  /// knows of no segments.
  package var leaveOutUnpresented = false

  /// Whether the file begins at a time that is known beforehand, whichever of its tracks is there then.
  package var haveKnownStart = false

  /// Whether packets that aren't presented are kept from the file.
  func takesPresentedOnly(of format: FormatConstraint) -> Bool {
    leaveOutUnpresented || !skipsLeads(of: format)
  }

  /// Whether packets of a codec are copied that are only there to be decoded.
  func skipsLeads(of format: FormatConstraint) -> Bool {
    skipLeads || format.codecs.contains(where: leadCodecs.contains)
  }

  /// The rules of a file that can skip what its tracks begin with, and whose tracks have one format.
  public init(fileName: String) { self.fileName = fileName }
}

/// What is known of a track of a file that was written, and isn't in the file.
public struct OutputTrack: Hashable, Sendable {
  /// The sink's port that it comes to.
  public var port = ""
  /// The parts of a copy's file that have titles.
  package var chapters: [MovieChapter] = []
  /// Where a copy's file was recorded (ISO 6709), where that says.
  package var location: String?
  /// What the file says of it that it comes from, as it is or encoded anew; `nil` where that isn't known.
  package var label: TrackLabel?
  /// How much of it is skipped, where that is known: a copy begins with what its source skips too.
  public var lead: MediaTime?
  /// When the stream begins that it is a copy of, in the run's time: a part of a stream has its first
  /// sample later, and so much less of the lead, or none.
  public var start = MediaTime.zero
  /// How much of it is presented after that; `nil` for all.
  public var length: MediaTime?
  /// What of it is presented, in the run's time, where it is a range that is copied with what decoding
  /// begins with; it may be infinite. All of the file's tracks then are, and begin at the same time.
  public var range: MediaTimeRange?
  /// Samples that the run's own encoder puts before the first that was recorded; `nil` where there
  /// are none.
  public var priming: Int?
  /// How much later it goes into the file than it comes, for what audio beside it begins with; `nil` for
  /// nothing.
  public var delay: MediaTime?
  /// A checksum of what the run's own encoder has been given, where it has one.
  public var digest: StreamDigest?
  /// Whether its times are those at which it is heard, also of what an encoder put before that.
  public var hasPresentationTimes = false
  /// How players turn its frames; `nil` for what the elements wrote.
  public var rotation: Rotation?
  /// Whether what it has from before the file's first video sample is presented, too.
  public var keepsStart = false
  /// Whether it is video; audio otherwise.
  public var isVideo = false
  /// Whether it comes as time passes: from a camera, say.
  public var isLive = false

  /// A track of which nothing is known.
  public init() {}
}

/// What a finished file holds of a track.
public struct WrittenTrack: Hashable, Sendable {
  /// The number of samples.
  public var sampleCount: Int
  /// How long they are together, in seconds.
  public var duration: Double

  /// A track of so many samples.
  public init(sampleCount: Int, duration: Double) {
    self.sampleCount = sampleCount
    self.duration = duration
  }
}
