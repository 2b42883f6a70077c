import Media

/// When the audio and video tracks of a movie in pieces begin, by the edit lists of its `moov` box.
package enum MovieStarts {
  /// The starts of its audio and video tracks in their order: the time in each that is presented at zero,
  /// below zero where nothing is presented before. Lists of several parts count by their first.
  package static func read(_ index: [UInt8]) -> [(isVideo: Bool, start: MediaTime)] {
    guard let index = MovieIndex(MovieBytes(bytes: index)) else { return [] }
    return index.tracks.compactMap { track in
      switch track.kind {
      case .encodedVideo: (true, index.start(of: track))
      case .encodedAudio: (false, index.start(of: track))
      default: nil
      }
    }
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
