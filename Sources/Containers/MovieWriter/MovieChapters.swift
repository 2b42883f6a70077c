import GraphKitSystem

/// A part of a movie that has a title.
package struct MovieChapter: Hashable, Sendable {
  /// When it begins, in milliseconds of what is presented.
  package var start: Int
  package var title: String

  package init(start: Int, title: String) { (self.start, self.title) = (start, title) }
}

extension [MovieChapter] {
  /// The chapters of a movie that ends at a time, together with those of marks, a millisecond apart at
  /// least. Chapters from after its end are left out; a mark is there all the same, since it was set
  /// while what it marks was recorded.
  func joined(with marks: [MovieChapter], before end: Int) -> [MovieChapter] {
    let all = filter { $0.start < end } + marks
    var chapters = all.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }.map(\.element)
    guard !marks.isEmpty, end > 0 else { return chapters }
    for index in chapters.indices.dropFirst() {
      chapters[index].start = Swift.max(chapters[index].start, chapters[index - 1].start &+ 1)
    }
    for index in chapters.indices {
      let latest = end - (chapters.count - index)
      chapters[index].start = Swift.max(0, Swift.min(chapters[index].start, latest))
    }
    return chapters
  }
}

/// A track of the titles of chapters, which QuickTime and ffmpeg read: a sample each.
struct ChapterTrack {
  let bytes: [UInt8]
  /// The size and checksum of the last sample.
  let last: (size: Int, sum: UInt64)
  private let table: SampleTable
  /// When the first chapter begins and the last ends, in milliseconds.
  private let extent: Range<Int>

  /// The track of chapters in their order, up to the end of the movie; `nil` where there are none.
  init?(_ chapters: [MovieChapter], end: Int) {
    guard let first = chapters.first, first.start < end else { return nil }
    var (table, bytes, sample) = (SampleTable(), [UInt8](), [UInt8]())
    // What is skipped before the first is after the last, and isn't presented: ffmpeg takes the length of
    // the samples for the end of the last chapter.
    for (chapter, end) in zip(chapters, chapters.dropFirst().map(\.start) + [end + first.start]) {
      sample = MovieText.title(chapter.title)
      table.append(
        MovieFragment.Sample(
          duration: end - chapter.start, size: sample.count, flags: MovieFragment.Sample.syncFlags))
      bytes += sample
    }
    var sum = Checksum()
    sum.add(sample.span)
    (self.table, self.bytes, last) = (table, bytes, (sample.count, sum.value))
    extent = first.start..<end
  }

  /// When the chapters of a movie end, in milliseconds: not after the movie.
  static func end(ofMovieOf length: Int, timescale: Int) -> Int {
    MovieTimeline.scaled(length, timescale, 1_000, isWhole: true)
  }

  /// The track, with its samples at a place of the file, in a movie of a timescale.
  func header(as identifier: Int, at place: Int, timescale: Int) -> MovieHeader.Track {
    var table = table
    table.beginChunk(at: place, samples: table.sampleCount)
    let units = { MovieTimeline.scaled($0, 1_000, timescale, isWhole: true) }
    let part = MovieTrack.Edit(offset: 0, duration: units(extent.count), mediaTime: 0)
    let pause = MovieTrack.Edit(offset: 0, duration: units(extent.lowerBound), mediaTime: -1)
    var track = MovieHeader.Track(
      identifier: identifier, format: MovieTrackFormat(.text),
      edits: extent.lowerBound > 0 ? [pause, part] : [part], table: table)
    track.isChapters = true
    return track
  }
}

extension MovieWriter {
  /// Has the moments that were marked be chapters of the movie, which begins at a time.
  mutating func mergeMarks(intoMovieWith tracks: [MovieHeader.Track], from start: Int64) {
    settings.chapters = settings.chapters.joined(
      with: marks.chapters(from: start), before: end(ofMovieWith: tracks))
  }

  /// Writes the titles of the chapters as samples of a track. `nil` where there are none. With the
  /// track comes the size and checksum of its last sample.
  mutating func chapterTrack(
    as identifier: Int, ofMovieWith tracks: [MovieHeader.Track]
  ) throws -> (track: MovieHeader.Track, last: (size: Int, sum: UInt64))? {
    guard let track = ChapterTrack(settings.chapters, end: end(ofMovieWith: tracks)) else {
      return nil
    }
    let place = try writeLast(track.bytes)
    return (track.header(as: identifier, at: place, timescale: timescale), track.last)
  }

  /// When the chapters of a movie of some tracks end.
  private func end(ofMovieWith tracks: [MovieHeader.Track]) -> Int {
    let length = tracks.map { $0.edits.reduce(0) { $0 &+ $1.duration } }.max() ?? 0
    return ChapterTrack.end(ofMovieOf: length, timescale: timescale)
  }
}
