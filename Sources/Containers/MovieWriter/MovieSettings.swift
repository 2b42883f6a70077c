extension MovieWriter {
  /// What is said of the movie as a whole.
  package struct Settings: Hashable, Sendable {
    /// Whether it is written in fragments until it ends.
    package var isFragmented = true
    /// Whether samples wait for those of their time of the other tracks, for some seconds, so that no
    /// player has to read on for them: for what doesn't come live, where that loses nothing.
    package var interleavesByTime = false
    /// The length of a fragment, in nanoseconds.
    package var fragmentDuration: Int64 = 250_000_000
    /// The length of a segment, in nanoseconds, where the movie is one of segments: each then begins
    /// with the first key frame since a multiple of it, and a fragment holds what is decoded before
    /// the next segment.
    package var segmentDuration: Int64?
    /// Whether its segments are taken out of the file as they are written: then it ends with the last,
    /// and has no index of all samples.
    package var isStream = false
    /// Whether the index goes in front of the samples, where they are known beforehand: of others it
    /// goes after them.
    package var isIndexFirst = false
    /// Units a second of the movie's own times; 0 for those of its audio, or else of its video.
    package var timescale = 0
    /// Whether it is a QuickTime movie.
    package var isQuickTime = false
    /// When it begins, in nanoseconds, where that is before its first sample; `nil` for the first of
    /// its video.
    package var start: Int64?
    /// The four letters of the kind of file that it says it is.
    package var brand = "isom"
    /// When it was made, in seconds since 1970; `nil` where it doesn't say.
    package var creationTime: Int?
    package var tags = MovieTags()
    package var chapters: [MovieChapter] = []
    /// Which tracks are alternatives, by their places among the writer's tracks: audio and text of
    /// which nothing is said are where their languages differ.
    package var alternatives: [Int: AlternateTrack] = [:]

    package init() {}

    /// The brands whose rules the file follows (ISO/IEC 14496-12, 4.3), its own among them: of MP4 files
    /// also that of their video, where that is H.264, and of those that iTunes names the second version
    /// of MP4.
    func compatibleBrands(_ tracks: [MovieTrackFormat]) -> [String] {
      if isQuickTime { return ["qt  "] }
      // Fragments hold what is usual for their samples themselves, and no edit list moves these.
      if isStream {
        return (tracks.count == 1 ? ["cmf2", "cmfc"] : []) + ["iso6", "iso9", "dash"]
      }
      let isNamed = ["M4A ", "M4B ", "M4V "].contains(brand)
      let hasH264 = tracks.contains { $0.codec == .h264 }
      let common = ["isom", "iso2", "iso6"] + (hasH264 ? ["avc1"] : []) + ["mp41"]
      return ([brand] + (isNamed ? ["mp42"] : []) + common).reduce(into: []) { brands, brand in
        if !brands.contains(brand) { brands.append(brand) }
      }
    }
  }
}

/// That a track is one of several of which players present one (ISO/IEC 14496-12, 8.3.2).
package struct AlternateTrack: Hashable, Sendable {
  /// The number of these tracks' group, from 0.
  package var group: Int
  /// Whether it is presented unless users choose another.
  package var isDefault: Bool

  package init(group: Int, isDefault: Bool) { (self.group, self.isDefault) = (group, isDefault) }
}
