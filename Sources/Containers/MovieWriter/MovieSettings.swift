extension MovieWriter {
  /// What is said of the movie as a whole.
  package struct Settings: Hashable, Sendable {
    /// Whether it is written in fragments until it ends.
    package var isFragmented = true
    /// The length of a fragment, in nanoseconds.
    package var fragmentDuration: Int64 = 250_000_000
    /// The length of a segment, in nanoseconds, where the movie is one of segments: each then begins
    /// with the first key frame since a multiple of it, and a fragment holds what is decoded before
    /// the next segment.
    package var segmentDuration: Int64?
    /// Units a second of the movie's own times; 0 for those of its audio, or else of its video.
    package var timescale = 0
    /// Whether it is a QuickTime movie.
    package var isQuickTime = false
    /// The four letters of the kind of file that it says it is.
    package var brand = "isom"
    /// When it was made, in seconds since 1970.
    package var creationTime = 0
    package var tags = MovieTags()
    package var chapters: [MovieChapter] = []

    package init() {}
  }
}
