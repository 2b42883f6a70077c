import Containers
import GraphKit
import System

/// The playlist of a movie whose file is a stream in segments: HTTP Live Streaming (RFC 8216), with
/// byte ranges of the one file.
struct Playlist {
  /// Where it goes.
  let path: String
  /// The movie's name, as players find it beside the playlist.
  let movie: String
  /// The length that segments are to have, in nanoseconds.
  let segmentDuration: Int64
  private var written = 0

  init(of movie: String, segmentDuration: Int64) {
    path = Self.path(of: movie)
    self.movie = Self.reference(to: movie.split(separator: "/").last.map(String.init) ?? movie)
    self.segmentDuration = segmentDuration
  }

  /// A name as a reference that means it (RFC 3986, 2.1). Letters that mean themselves stay: players
  /// of files on a disk look for what is written.
  static func reference(to name: String) -> String {
    name.unicodeScalars.map { letter in
      guard letter.value < 0x20 || "\"#?%".unicodeScalars.contains(letter) else {
        return String(letter)
      }
      let digits = String(letter.value, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }

  /// The movie's path with another ending.
  static func path(of movie: String) -> String {
    movie.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
      + ".m3u8"
  }

  /// Writes it anew where segments have come to an end; a reader finds the old one or the new one.
  mutating func update(_ segments: MovieSegments, isComplete: Bool = false) throws {
    guard let head = segments.head, isComplete || segments.all.count > written else { return }
    written = segments.all.count
    let text = text(segments.all, head: head, isComplete: isComplete)
    do {
      var file = try ReplacementFile(path)
      try file.write(Array(text.utf8))
      try file.complete()
    } catch {
      throw NodeError(
        "the playlist `\(path)` can't be written: \(error.text)",
        remedy: "make room on the disk, or give the movie another path", key: "playlist")
    }
  }

  private func text(
    _ segments: [MovieSegments.Segment], head: Range<Int>, isComplete: Bool
  ) -> String {
    // Rounded to whole seconds, no segment is longer than this (4.3.3.1).
    let longest = max(segmentDuration, segments.map(\.duration).max() ?? 0)
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7",
      "#EXT-X-TARGETDURATION:\((longest + 500_000_000) / 1_000_000_000)",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:\(isComplete ? "VOD" : "EVENT")",
      "#EXT-X-INDEPENDENT-SEGMENTS",
      "#EXT-X-MAP:URI=\"\(movie)\",BYTERANGE=\"\(head.count)@\(head.lowerBound)\"",
    ]
    for segment in segments {
      let micros = (segment.duration + 500) / 1_000
      let fraction = String(micros % 1_000_000 + 1_000_000).dropFirst()
      lines += [
        "#EXTINF:\(micros / 1_000_000).\(fraction),",
        "#EXT-X-BYTERANGE:\(segment.bytes.count)@\(segment.bytes.lowerBound)", movie,
      ]
    }
    if isComplete { lines.append("#EXT-X-ENDLIST") }
    return lines.joined(separator: "\n") + "\n"
  }
}
