/// Samples that are copied from a file into another as they are, many at once: where they are, in the
/// order in which they are there.
public struct FilePiece: Sendable {
  /// The file that they are in.
  public let file: InputFile
  /// The samples, each with the number of its stream.
  public var samples: [FileSample]

  /// Samples of a file.
  public init(of file: InputFile, _ samples: [FileSample]) {
    (self.file, self.samples) = (file, samples)
  }

  /// Bytes of all samples.
  public var byteCount: Int { samples.reduce(0) { $0 + $1.byteCount } }
}

/// What a source knows of where in its file the samples of some streams are.
///
/// A source of elements gives it, so that a sink which writes what it gets into a file
/// (``FileOutput/pieceDuration``) copies them without reading one by one. The elements still say what
/// the streams are: they run until each has given its first sample, which must be the piece's first
/// of that stream, by its size and times. Where one isn't, the elements give all. Used on one thread
/// at a time.
public protocol PieceReader: Sendable {
  /// The first sample of a stream, by its number; `nil` where it has none.
  func first(of stream: Int) -> FileSample?
  /// The next samples, of about so many nanoseconds at most; `nil` at the end.
  mutating func next(duration: Int64) throws(NodeError) -> FilePiece?
}
