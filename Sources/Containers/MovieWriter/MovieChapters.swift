import System

/// A part of a movie that has a title.
package struct MovieChapter: Hashable, Sendable {
  /// When it begins, in milliseconds of what is presented.
  package var start: Int
  package var title: String

  package init(start: Int, title: String) { (self.start, self.title) = (start, title) }
}

extension MovieWriter {
  /// Writes the titles of the chapters as samples of a track of text, which QuickTime and ffmpeg
  /// read; those after the movie's end are left out. `nil` where there are none. With the track comes
  /// the size and checksum of its last sample.
  mutating func chapterTrack(
    as identifier: Int, ofMovieWith tracks: [MovieHeader.Track]
  ) throws -> (track: MovieHeader.Track, last: (size: Int, sum: UInt64))? {
    let length = tracks.map { $0.edits.reduce(0) { $0 &+ $1.duration } }.max() ?? 0
    let end = MovieTimeline.scaled(length, timescale, 1_000)
    let chapters = settings.chapters.sorted { $0.start < $1.start }.filter { $0.start < end }
    settings.chapters = chapters
    guard let first = chapters.first else { return nil }
    var table = SampleTable()
    var bytes: [UInt8] = []
    var last = (size: 0, sum: UInt64(0))
    let ends = chapters.dropFirst().map(\.start) + [end]
    for (chapter, end) in zip(chapters, ends) {
      let sample = MovieText.title(chapter.title)
      table.append(
        MovieFragment.Sample(
          duration: end - chapter.start, size: sample.count, flags: MovieFragment.Sample.syncFlags))
      bytes += sample
      var sum = Checksum()
      sum.add(sample.span)
      last = (sample.count, sum.value)
    }
    table.beginChunk(at: try writeLast(bytes), samples: chapters.count)
    let timescale = self.timescale
    let units = { MovieTimeline.scaled($0, 1_000, timescale) }
    let part = MovieTrack.Edit(offset: 0, duration: units(end - first.start), mediaTime: 0)
    let pause = MovieTrack.Edit(offset: 0, duration: units(first.start), mediaTime: -1)
    var track = MovieHeader.Track(
      identifier: identifier, format: MovieTrackFormat(.text),
      edits: first.start > 0 ? [pause, part] : [part], table: table)
    track.isChapters = true
    return (track, last)
  }
}
