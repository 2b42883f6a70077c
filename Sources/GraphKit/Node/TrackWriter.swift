/// Writes the samples of a file's tracks into the file: what a sink's ``FileOutput`` makes for a run,
/// where no elements do it.
///
/// The engine calls ``prepare(for:track:)`` before a track's first sample and where its format
/// changes, ``write(_:to:)`` for every sample, ``end(track:)`` when a track gets no more, on the
/// streaming threads of the inputs; and ``finish()`` once, after every track has ended and all
/// threads have stopped. Calls never overlap. Tracks are numbered from 0, in the order of the inputs.
/// A thrown error ends the run with that error, named by node; what is in the file stays.
public protocol TrackWriter {
  /// Takes the format of the samples that follow on a track.
  mutating func prepare(for format: FormatDescription, track: Int) throws

  /// Takes what a track's stream says of itself, by GStreamer's names of tags: `title`,
  /// `language-code`. By default of no interest.
  mutating func note(_ tags: [String: String], track: Int)

  /// Takes one sample of a track. Its times count from the beginning of the run, and may be
  /// negative. Nothing waits for the writer, so that it may hold samples until it has others.
  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws

  /// Says that a track gets no more samples, while others may.
  mutating func end(track: Int) throws

  /// Completes the file. Called where every track has ended, and so not where a run was cancelled.
  mutating func finish() throws
}

extension TrackWriter {
  public mutating func note(_ tags: [String: String], track: Int) {}
}

/// A file that a run writes, for the ``TrackWriter`` that it belongs to.
///
/// It is open from the run's beginning to its end. What was in it before stays until the first bytes
/// are written.
public struct WritableFile: Sendable {
  private let body: @Sendable (Span<UInt8>, Int) throws -> Void

  init(_ body: @escaping @Sendable (Span<UInt8>, Int) throws -> Void) { self.body = body }

  /// Writes bytes over what is there, or past the end; what is between the end and a later offset
  /// reads as zeros. Throws where the file can't be written, with words for the user.
  public func write(_ bytes: Span<UInt8>, at offset: Int) throws { try body(bytes, offset) }
}
