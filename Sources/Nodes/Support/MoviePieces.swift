import Containers
import GraphKit

/// Where the samples of a movie are, for a sink that copies them.
struct MoviePieces: PieceReader {
  private var samples: MovieSamples
  private let file: InputFile

  /// Bytes of a piece, about, and samples of it at most. Those of a web server may come slowly.
  private static let byteCount = 8 << 20
  private static let webByteCount = 1 << 18
  private static let sampleCount = 8_192

  /// Some tracks of a movie, which may be open already; `nil` where they can't be copied by its index.
  init?(_ path: String, tracks: [Int], part: MovieSamples.Part? = nil, in file: InputFile? = nil) {
    guard let samples = MovieSamples(path, tracks: tracks, part: part),
      let file = file ?? (try? InputFile(path))
    else { return nil }
    (self.samples, self.file) = (samples, file)
  }

  func first(of stream: Int) -> FileSample? { samples.first(of: stream) }

  mutating func next(duration: Int64) -> FilePiece? {
    let found = samples.next(
      byteCount: file.isOfWebServer ? Self.webByteCount : Self.byteCount, duration: duration,
      count: Self.sampleCount)
    return found.isEmpty ? nil : FilePiece(of: file, found)
  }
}
