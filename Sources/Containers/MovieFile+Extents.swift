import Media

/// What the fragments of a movie hold of a track: in the track's units, floating-point numbers, since a
/// broken file may claim any.
struct FragmentedTrack {
  var sampleCount = 0
  /// The length of its samples, without what is between fragments.
  var duration = 0.0
  /// When the sample that is presented first begins; `nil` without samples.
  private(set) var start: Double?
  /// When a sample that is presented in the last place ends.
  private(set) var end = 0.0
  /// When the next fragment's first sample is decoded, where that doesn't say so.
  private var next = 0.0

  mutating func add(_ extent: MovieFragment.Extent, at time: Int?) {
    let time = time.map(Double.init) ?? next
    next = time + extent.duration
    sampleCount &+= extent.sampleCount
    duration += extent.duration
    guard let first = extent.start else { return }
    start = min(start ?? .infinity, time + first)
    end = max(end, time + extent.end)
  }
}

extension MovieFile {
  /// What all fragments hold, by tracks. They are read one by one, and nothing else of the file.
  func fragmentedTracks(of index: MovieIndex) throws(NodeError) -> [Int: FragmentedTrack] {
    var found: [Int: FragmentedTrack] = [:]
    let defaults = index.fragmentDefaults
    try forEachFragment { data, _ in
      MovieFragment.forEach(in: data, defaults: defaults) { fragment in
        found[fragment.track, default: FragmentedTrack()]
          .add(fragment.extent(in: data), at: fragment.start)
      }
    }
    return found
  }

  /// What the fragments hold of each track of a movie that is all in fragments; empty of another.
  func fragments(ofAllIn index: MovieIndex) -> [Int: FragmentedTrack] {
    guard fragmentStart != nil, !index.tracks.contains(where: { $0.sampleCount > 0 }) else {
      return [:]
    }
    return (try? fragmentedTracks(of: index)) ?? [:]
  }
}

extension MovieIndex {
  /// When tracks that are all in fragments end, by their identifiers, in the movie's time. GStreamer's
  /// demuxer (1.22) goes by a table of fragments' beginnings, where there is one, and so leaves out the
  /// last.
  func ends(of fragments: [Int: FragmentedTrack]) -> [Int: MediaTime] {
    var ends: [Int: MediaTime] = [:]
    for track in tracks {
      guard let length = end(of: track, fragments[track.identifier]), length > 0 else { continue }
      ends[track.identifier] = .seconds(length)
    }
    return ends
  }

  /// When a track ends by its fragments and its edit list, in seconds of the movie.
  fileprivate func end(of track: MovieTrack, _ fragments: FragmentedTrack?) -> Double? {
    guard let fragments, track.timescale > 0, timescale > 0 else { return nil }
    let pause = track.edits.prefix { $0.mediaTime < 0 }.reduce(0) { $0 + Double($1.duration) }
    let skipped = Double(track.edits.first { $0.mediaTime >= 0 }?.mediaTime ?? 0)
    return pause / Double(timescale) + (fragments.end - skipped) / Double(track.timescale)
  }
}
