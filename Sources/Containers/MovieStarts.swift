import Media

/// When the tracks of a movie in pieces begin, by the edit lists of its `moov` box.
package enum MovieStarts {
  /// By the numbers of tracks, the time in each that is presented at zero, below zero where nothing is
  /// presented before. Lists of several parts count by their first.
  package static func read(_ index: [UInt8]) -> [Int: MediaTime] {
    guard let index = MovieIndex(MovieBytes(bytes: index)) else { return [:] }
    let starts = index.tracks.map { ($0.identifier, index.start(of: $0)) }
    return Dictionary(starts, uniquingKeysWith: { first, _ in first })
  }
}

extension MovieIndex {
  fileprivate func start(of track: MovieTrack) -> MediaTime {
    guard let scale = Int32(exactly: track.timescale), scale > 0,
      let movieScale = Int32(exactly: timescale), movieScale > 0
    else { return .zero }
    let pauses = track.edits.prefix { $0.mediaTime < 0 }
    let pause = MediaTime(
      value: Int64(pauses.map(\.duration).reduce(0, &+)), timescale: movieScale)
    let part = track.edits.dropFirst(pauses.count).first
    return MediaTime(value: Int64(part?.mediaTime ?? 0), timescale: scale) - pause
  }
}
