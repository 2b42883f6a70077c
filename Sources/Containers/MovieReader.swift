import Media

/// What an independent look into a movie file finds.
public struct ContainerSummary: Hashable, Sendable, Codable {
  /// One track.
  public struct Track: Hashable, Sendable, Codable {
    /// The track's number in the file.
    public var identifier: Int
    /// Whether it is audio or video; `any` for anything else.
    public var kind: MediaKind
    /// The four letters of its sample description: `avc1`, `mp4a`.
    public var codec: String
    /// Units a second of the track's times.
    public var timescale: Int
    /// The number of samples.
    public var sampleCount: Int
    /// The length of its samples, before any edit, in seconds.
    public var mediaDuration: Double
    /// When its first sample is presented, in seconds from the start of the movie.
    public var start: Double
    /// The length of what is presented, in seconds.
    public var duration: Double
  }

  /// The tracks, in the order of the file.
  public var tracks: [Track]
  /// The length of the movie, in seconds.
  public var duration: Double
  /// Whether the samples are in fragments, as after a crash.
  public var isFragmented: Bool
  /// Whether the index is in front of the samples.
  public var isOptimizedForNetworkUse: Bool
}

/// Reads the index of MP4 and QuickTime movies, without GStreamer.
public enum MovieReader {
  /// Looks into a file. Only the index is read; a broken file is an error, never a trap.
  public static func read(_ path: String) throws(NodeError) -> ContainerSummary {
    let file = try MovieFile(path, for: .reading)
    return try file.withSkimmedIndex { (index) throws(NodeError) in try summary(of: file, index) }
  }

  private static func summary(
    of file: MovieFile, _ index: MovieIndex
  ) throws(NodeError) -> ContainerSummary {
    let added = try file.fragmentedTracks(of: index)
    let tracks = index.tracks.map { track in
      summary(
        of: track, movieTimescale: index.timescale,
        added: added[track.identifier] ?? FragmentedTrack())
    }
    return ContainerSummary(
      tracks: tracks, duration: tracks.map { $0.start + $0.duration }.max() ?? 0,
      isFragmented: file.fragmentStart != nil, isOptimizedForNetworkUse: file.isIndexFirst)
  }

  private static func summary(
    of track: MovieTrack, movieTimescale: Int, added: FragmentedTrack
  ) -> ContainerSummary.Track {
    let units = Double(max(track.timescale, 1))
    let movieUnits = Double(max(movieTimescale, 1))
    let media = (Double(track.duration) + added.duration) / units
    // An edit of media time -1 is empty: it delays what follows.
    let delay = track.edits.prefix { $0.mediaTime < 0 }.reduce(0) { $0 + Double($1.duration) }
    let edit = track.edits.first { $0.mediaTime >= 0 }
    let skipped = Double(edit?.mediaTime ?? 0) / units
    let inFragments = track.sampleCount == 0 ? added.start : nil
    let firstTime = (inFragments ?? Double(track.firstOffset)) / units - skipped
    let edited = edit.map { Double($0.duration) / movieUnits } ?? 0
    return ContainerSummary.Track(
      identifier: track.identifier, kind: track.kind, codec: track.codec,
      timescale: track.timescale,
      sampleCount: track.sampleCount &+ added.sampleCount,
      mediaDuration: media, start: delay / movieUnits + max(0, firstTime),
      // Of a movie in fragments, the edit covers what is in the index alone.
      duration: edited > 0 && added.sampleCount == 0 ? edited : max(0, media - skipped))
  }
}
