import Media

/// When the key frames of a movie's track are presented, in order.
package struct MovieKeyFrames {
  package let times: [MediaTime]

  /// Those of a track by its identifier; `nil` where the file is no movie, or one whose index doesn't
  /// tell: in fragments, or with several parts of the track one after the other.
  package init?(of path: String, track identifier: Int) {
    guard let movie = try? MovieFile(path, for: .reading), let index = try? movie.index(),
      index.timescale > 0, index.data.first("mvex", in: index.movie) == nil,
      let track = index.tracks.first(where: { $0.identifier == identifier }),
      let scale = Int32(exactly: track.timescale), scale > 0,
      let movieScale = Int32(exactly: index.timescale)
    else { return nil }
    let parts = track.edits.drop { $0.mediaTime < 0 }
    guard parts.count <= 1 else { return nil }
    let pause = track.edits.prefix { $0.mediaTime < 0 }.map(\.duration).reduce(0, &+)
    let delay = MediaTime(value: Int64(pause), timescale: movieScale)
    let start = parts.first?.mediaTime ?? 0
    let presented = index.keyFrameTimes(of: track).filter { $0 >= start }.sorted()
    times = presented.map { delay + MediaTime(value: Int64($0 &- start), timescale: scale) }
  }

  /// The one nearest to a time, of those from one time up to another.
  package func nearest(
    to time: MediaTime, from first: MediaTime, upTo last: MediaTime
  ) -> MediaTime? {
    times.filter { $0 >= first && $0 <= last }.min {
      Self.distance($0, time) < Self.distance($1, time)
    }
  }

  private static func distance(_ one: MediaTime, _ other: MediaTime) -> MediaTime {
    one < other ? other - one : one - other
  }
}
