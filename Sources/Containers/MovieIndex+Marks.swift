/// Chapters that are added to the index of a movie.
extension MovieIndex {
  /// The titles of chapters, which go to an offset of the file, and this index with a track of them: the
  /// chapters that it lists, and those of marks, whose times count from so many of the movie's units
  /// before its beginning.
  func adding(
    _ marks: ChapterMarks, from start: Int, isQuickTime: Bool, at offset: Int
  ) -> (titles: [UInt8], index: [UInt8]) {
    let length =
      tracks.filter { $0.sampleCount > 0 }
      .map { $0.edits.reduce(0) { $0 &+ $1.duration } }.max() ?? 0
    let units = max(timescale, 1)
    let end = ChapterTrack.end(ofMovieOf: length, timescale: units)
    let origin = Int64(clamping: MovieTimeline.scaled(start, units, 1_000_000_000))
    let chapters = listedChapters.joined(with: marks.chapters(from: origin), before: end)
    guard let track = ChapterTrack(chapters, end: end) else { return ([], data.bytes) }
    let identifier = (tracks.map(\.identifier).max() ?? 0) &+ 1
    let header = MovieHeader(
      tracks: [track.header(as: identifier, at: offset, timescale: units)], timescale: units,
      isFragmented: false, isQuickTime: isQuickTime, creationTime: creationTime, tags: MovieTags(),
      chapters: chapters)
    return (track.bytes, bytes(with: header))
  }

  /// When the movie was made, in seconds since 1904.
  private var creationTime: Int {
    data.integer(at: header.content + 4, bytes: data.version(header) == 1 ? 8 : 4) ?? 0
  }

  /// The index with the track of chapters that is the only one of another.
  private func bytes(with other: MovieHeader) -> [UInt8] {
    let boxes = data.boxes(of: movie)
    var writer = BoxWriter()
    writer.box("moov") { writer in
      for box in boxes where box.type != "udta" {
        switch box.type {
        case "trak": write(box, naming: other.tracks[0].identifier, to: &writer)
        case "mvhd":
          writer.copy(box, of: data)
          // The number of the next track is its last field.
          writer.replace(at: writer.bytes.count - 4, with: other.tracks[0].identifier &+ 1)
        default: writer.copy(box, of: data)
        }
      }
      other.write(other.tracks[0], to: &writer)
      writer.box("udta") { writer in
        for box in boxes where box.type == "udta" {
          for child in data.boxes(of: box) where child.type != "chpl" {
            writer.copy(child, of: data)
          }
        }
        MovieTags.write(other.chapters, to: &writer)
      }
    }
    return writer.bytes
  }

  /// Writes a track that names the track of its chapters, unless it is one of text.
  private func write(_ box: MovieBox, naming chapters: Int, to writer: inout BoxWriter) {
    let isText = tracks.first { $0.box == box }?.kind == .text
    writer.box("trak") { writer in
      for child in data.boxes(of: box) {
        if child.type == "mdia", !isText {
          writer.box("tref") { writer in
            writer.box("chap") { $0.write(chapters, bytes: 4) }
          }
        }
        writer.copy(child, of: data)
      }
    }
  }
}
