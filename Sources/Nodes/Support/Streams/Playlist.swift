import Containers
import GraphKit
import GraphKitSystem

/// What is reported of a movie's segments while it is written.
protocol SegmentListing {
  /// Segments may have come to an end; with `isComplete` all have, and no other follows.
  mutating func update(_ segments: inout MovieSegments, isComplete: Bool) throws
}

/// The playlist of a movie whose file is a stream in segments: byte ranges of the one file.
struct Playlist: SegmentListing {
  /// Where it goes.
  let path: String
  /// The movie's name, as players find it beside the playlist.
  let movie: String
  /// The length that segments are to have, in nanoseconds.
  let segmentDuration: Int64
  private var written = 0

  init(of movie: String, segmentDuration: Int64) {
    path = Self.path(of: movie)
    self.movie = StreamText.reference(
      to: movie.split(separator: "/").last.map(String.init) ?? movie)
    self.segmentDuration = segmentDuration
  }

  /// The movie's path with another ending.
  static func path(of movie: String) -> String {
    movie.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
      + ".m3u8"
  }

  /// Writes it anew where segments have come to an end; a reader finds the old one or the new one.
  mutating func update(_ segments: inout MovieSegments, isComplete: Bool) throws {
    guard let head = segments.head, isComplete || segments.all.count > written else { return }
    written = segments.all.count
    let text = text(segments.all, head: head, isComplete: isComplete)
    do {
      var file = try ReplacementFile(path)
      try file.write(Array(text.utf8))
      try file.complete()
    } catch {
      var failure = NodeError(
        "the playlist `\(path)` can't be written: \(error.text)",
        remedy: error.writingRemedy, key: "playlist")
      failure.isOutOfRoom = error.isFull
      throw failure
    }
  }

  private func text(
    _ segments: [MovieSegments.Segment], head: Range<Int>, isComplete: Bool
  ) -> String {
    let listed = segments.map {
      MediaPlaylist.Segment(reference: movie, bytes: $0.bytes, duration: $0.duration)
    }
    return MediaPlaylist(
      kind: isComplete ? .complete : .growing, map: (movie, head), segments: listed, sequence: 0,
      segmentDuration: segmentDuration
    ).text
  }
}
