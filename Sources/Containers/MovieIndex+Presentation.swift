import Media

/// When tracks are presented: what their edit lists and their samples say.
extension MovieIndex {
  /// When a track is presented, counted from the movie's beginning; `nil` where the file doesn't say so
  /// plainly. Of a track that is all in fragments, they say what its samples do else.
  func presentation(of track: MovieTrack, _ fragments: FragmentedTrack? = nil) -> MediaTimeRange? {
    guard let scale = Int32(exactly: track.timescale), let movieScale = Int32(exactly: timescale),
      scale > 0, movieScale > 0,
      let samples = extent(of: track, fragments, scale), samples.duration > .zero
    else { return nil }
    let pauses = track.edits.prefix { $0.mediaTime < 0 }
    let parts = track.edits.dropFirst(pauses.count)
    let pause = MediaTime(value: Int64(pauses.map(\.duration).reduce(0, &+)), timescale: movieScale)
    let skipped = priming(of: track)?.start ?? parts.first?.mediaTime ?? 0
    let begin = MediaTime(value: Int64(skipped), timescale: scale)
    let first = max(samples.start, begin)
    var end = samples.end
    if let count = priming(of: track)?.count {
      end = begin + MediaTime(value: Int64(count), timescale: scale)
    } else if fragments == nil, let part = parts.first, part.duration > 0,
      !goesOn(after: part, of: track)
    {
      let stated = MediaTime(
        value: Int64(parts.map(\.duration).reduce(0, &+)), timescale: movieScale)
      // Of several parts the samples don't say how long they are together, and of one more exactly.
      let isRounded = (end - begin - stated).magnitude < MediaTime(value: 1, timescale: movieScale)
      let isLonger = lastFrame(of: track) != nil
      if parts.count > 1 || !isRounded && (isLonger || begin + stated < end) {
        end = begin + stated
      }
    }
    let found = MediaTimeRange(start: pause + first - begin, end: pause + end - begin)
    guard found.start.isNumeric, found.start >= .zero, found.duration.isNumeric, !found.isEmpty
    else { return nil }
    return found
  }

  /// When samples are presented, in the track's own time.
  private func extent(
    of track: MovieTrack, _ fragments: FragmentedTrack?, _ scale: Int32
  ) -> MediaTimeRange? {
    if let fragments {
      guard track.sampleCount == 0, let first = fragments.start.flatMap(Int64.init(exactly:)),
        let end = Int64(exactly: fragments.end)
      else { return nil }
      return MediaTimeRange(
        start: MediaTime(value: first, timescale: scale),
        end: MediaTime(value: end, timescale: scale))
    }
    guard track.sampleCount > 0 else { return nil }
    return MediaTimeRange(
      start: MediaTime(value: Int64(track.firstOffset), timescale: scale),
      duration: MediaTime(value: Int64(sampleDuration(of: track)), timescale: scale))
  }
}
