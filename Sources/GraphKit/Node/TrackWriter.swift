import GStreamer
import GraphKitSystem

/// Writes the samples of a file's tracks into the file: what a sink's ``FileOutput`` makes for a run,
/// where no elements do it.
///
/// The engine calls ``prepare(for:track:)`` before a track's first sample and where its format
/// changes, ``write(_:to:)`` for every sample, ``end(track:)`` when a track gets no more, on the
/// streaming threads of the inputs; and ``finish()`` once, after every track has ended and all
/// threads have stopped. Calls never overlap. Tracks are numbered from 0, in the order of the inputs.
/// A thrown error ends the run with that error, named by node; what is in the file stays, and the
/// writer gets no more samples.
public protocol TrackWriter {
  /// Takes the format of the samples that follow on a track.
  mutating func prepare(for format: FormatDescription, track: Int) throws

  /// Takes what a track's stream says of itself. By default of no interest.
  mutating func note(_ tags: StreamTags, track: Int)

  /// Takes one sample of a track. Its times count from the beginning of the run, and may be
  /// negative. Nothing waits for the writer, so that it may hold samples until it has others.
  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws

  /// Takes a look at all samples that will be copied, before the first of them: `pieces` hands them out
  /// as they will come to ``copy(_:)``. By default of no interest.
  mutating func prepare(toCopy pieces: any PieceReader, duration: Int64) throws

  /// Takes samples that are in another file, their streams numbered as the tracks, in place of
  /// ``write(_:to:)`` for each. Called only where ``FileOutput/pieceDuration`` says so.
  mutating func copy(_ piece: FilePiece) throws

  /// Says that a track gets no more samples, while others may.
  mutating func end(track: Int) throws

  /// How many bytes ``finish()`` would add to the file now. Asked with each sample. The disk keeps room
  /// for them and for some seconds of samples; where it has none, the run ends in order, and samples
  /// that would take the room of the finish aren't handed over. `nil`, the default, for a file that
  /// needs no end.
  var finishByteCount: Int? { get }

  /// How many bytes of the file a second of its media takes; 0, the default, where it isn't known.
  var bytesPerSecond: Int { get }

  /// Completes the file. Called where every track has ended, and so not where a run was cancelled.
  mutating func finish() throws

  /// Compares the finished file with what was written, once ``FileOutput/finish(_:)`` has done with it.
  /// What it throws makes the run a failed one. By default nothing is compared.
  func check() throws

  /// Why samples of a track aren't in the file that were handed over, as the end of a sentence; `nil`,
  /// the default, where none are missing or the reason isn't known.
  func lossReason(track: Int) -> String?

  /// How many samples of a track were left out of the file since the node's parameters ask for that: no
  /// loss. By default none.
  func omittedCount(track: Int) -> Int

  /// Takes the output that the node hands over with other values of its live parameters, between two
  /// samples. By default nothing changes.
  mutating func adopt(_ output: any FileOutput) throws

  /// Begins another part of the file as soon as that is possible, where the file is one in parts;
  /// whether it is. By default it isn't.
  mutating func split() -> Bool

  /// Marks the moment of the newest sample with a title, where the file has such marks: chapters, say.
  /// Returns when that is, in the time of the samples; `nil`, the default, where the file has no marks.
  /// Throws where this one can't be set.
  mutating func mark(_ title: String) throws -> MediaTime?

  /// Marks a moment in the same way whose samples may not have come yet, in the time of the samples. By
  /// default that of the newest sample.
  mutating func mark(_ title: String, at time: MediaTime) throws -> MediaTime?

  /// Says that the file isn't completed, since the run has failed before its tracks had ended or the
  /// writer has thrown. By default nothing is done.
  mutating func giveUp()
}

extension TrackWriter {
  public mutating func note(_ tags: StreamTags, track: Int) {}
  public mutating func prepare(toCopy pieces: any PieceReader, duration: Int64) throws {}
  public mutating func copy(_ piece: FilePiece) throws {}
  public var finishByteCount: Int? { nil }
  public var bytesPerSecond: Int { 0 }
  public func check() throws {}
  public func lossReason(track: Int) -> String? { nil }
  public func omittedCount(track: Int) -> Int { 0 }
  public mutating func adopt(_ output: any FileOutput) throws {}
  public mutating func split() -> Bool { false }
  public mutating func mark(_ title: String) throws -> MediaTime? { nil }
  public mutating func mark(_ title: String, at time: MediaTime) throws -> MediaTime? {
    try mark(title)
  }
  public mutating func giveUp() {}
}

/// What a stream says of itself.
public struct StreamTags: Hashable, Sendable {
  /// Texts, numbers and dates, by GStreamer's names of tags: `title`, `track-number`,
  /// `language-code`, which has three letters, `language-tag`, which has two where there are, and
  /// `language-name`.
  public var texts: [String: String]
  /// Pictures that go with it, such as its cover.
  public var pictures: [AttachedPicture]
  /// Whether its file says it as a whole, and not the stream alone.
  package var areOfFile = false

  /// Tags of a stream.
  public init(_ texts: [String: String], pictures: [AttachedPicture] = []) {
    (self.texts, self.pictures) = (texts, pictures)
  }
}

extension StreamTags {
  /// What an event of tags says.
  init(_ texts: [String: String], _ pictures: [Event.Picture], ofFile: Bool) {
    self.init(texts, pictures: pictures.map(AttachedPicture.init))
    areOfFile = ofFile
  }
}

extension AttachedPicture {
  init(_ picture: Event.Picture) { self.init(picture.bytes, kind: picture.kind) }
}

/// A file that a run writes, for the ``TrackWriter`` that it belongs to.
///
/// It is open from the run's beginning to its end. What was in it before stays until the first sample has
/// come; bytes that are written earlier wait for that.
public struct WritableFile: Sendable {
  private let body: any WritableBody

  init(_ body: any WritableBody) { self.body = body }

  /// Writes bytes over what is there, or past the end; what is between the end and a later offset
  /// reads as zeros. Throws where the file can't be written, with words for the user.
  public func write(_ bytes: Span<UInt8>, at offset: Int) throws {
    try body.write(bytes, at: offset)
  }

  /// Writes bytes of another file, which the system copies. Throws where one of them can't be read or
  /// the other be written, with words for the user.
  public func copy(_ range: Range<Int>, of file: InputFile, at offset: Int) throws {
    do { try copy(range, of: file.file, at: offset) } catch let failure as File.Failure {
      throw file.error(failure)
    }
  }

  /// The same, with the system's words where the other file can't be read.
  package func copy(_ range: Range<Int>, of file: File, at offset: Int) throws {
    try body.copy(range, of: file, at: offset)
  }

  /// Waits until all that was written is on the disk, where the run records from a live source: what
  /// is written afterwards can't get there before it. Elsewhere it returns at once, since such a run
  /// can be done again.
  ///
  /// While it records, the file is put on the disk once a second without that, on another thread. So
  /// this is for the writer's ``TrackWriter/finish()``: a disk may take seconds.
  public func flush() throws { try body.flush() }

  /// How long the file was when the last flush that has ended began: what was written below that
  /// before then is on the disk. `nil` where nothing is flushed.
  public var flushedCount: Int? { body.flushedCount }

  /// Ends the file as it is, and makes another, which all that follows is written to. Throws where it
  /// can't be made.
  public func startNext(at path: String) throws { try body.startNext(at: path) }

  /// Asks the encoders before the file for a key frame, as soon as all of them can make it at the same
  /// time. Only where ``TrackRules/asksForKeyFrames``.
  public func askForKeyFrame() { body.askForKeyFrame() }

  /// Tells the run something that is to be known of the file.
  public func warn(_ message: String) { body.warn(message) }
}

/// What is behind a ``WritableFile``.
protocol WritableBody: Sendable {
  func write(_ bytes: Span<UInt8>, at offset: Int) throws
  func copy(_ range: Range<Int>, of file: File, at offset: Int) throws
  func flush() throws
  var flushedCount: Int? { get }
  func startNext(at path: String) throws
  func askForKeyFrame()
  func warn(_ message: String)
}
