/// The parts of a movie that have titles, and where it was recorded.
extension MovieIndex {
  /// The most chapters that are read, and the most bytes of their titles.
  private static let mostChapters = 11_000
  private static let mostBytes = 16 << 20

  /// The chapters: those of a track of titles where there is one (QuickTime File Format, "Chapter
  /// Lists"), or else of Nero's list.
  func chapters(of movie: MovieFile) -> [MovieChapter] {
    let titles = titledChapters(of: movie)
    return titles.isEmpty ? listedChapters : titles
  }

  /// Where it was recorded (ISO 6709), as its user data says; `nil` where they don't.
  var location: String? {
    // The first letter is no UTF-8.
    guard let box = data.first("udta", "\u{fffd}xyz", in: movie), let count = data.u16(box.content),
      let text = text(at: box.content + 4, count: count, below: box.end), !text.isEmpty
    else { return nil }
    return text
  }

  private func text(at place: Int, count: Int, below end: Int) -> String? {
    guard place >= 0, count <= end - place, end <= data.bytes.count else { return nil }
    return String(decoding: data.bytes[place..<place + count], as: UTF8.self)
  }

  /// Those of Nero's list.
  var listedChapters: [MovieChapter] {
    guard let box = data.first("udta", "chpl", in: movie) else { return [] }
    var place = box.content + (data.version(box) == 0 ? 4 : 8)
    guard let count = data.integer(at: place, bytes: 1) else { return [] }
    place += 1
    var chapters: [MovieChapter] = []
    for _ in 0..<count {
      guard let start = data.u64(place), let length = data.integer(at: place + 8, bytes: 1),
        let title = text(at: place + 9, count: length, below: box.end)
      else { break }
      chapters.append(MovieChapter(start: start / 10_000, title: title))
      place += 9 + length
    }
    return chapters
  }

  private func titledChapters(of movie: MovieFile) -> [MovieChapter] {
    let named = tracks.lazy.compactMap { data.first("tref", "chap", in: $0.box) }
      .compactMap { data.u32($0.content) }.first
    guard let track = tracks.first(where: { $0.identifier == named && $0.kind == .text }),
      track.timescale > 0, track.sampleCount <= Self.mostChapters
    else { return [] }
    let pause = track.edits.prefix { $0.mediaTime < 0 }.reduce(0) { $0 &+ $1.duration }
    let begin = MovieTimeline.scaled(pause, max(1, timescale), 1_000)
    var (chapters, time, byteCount) = ([MovieChapter](), 0, 0)
    _ = forEachSample(of: track, below: movie.file.size) { sample, place, _ in
      let start = begin &+ MovieTimeline.scaled(time, track.timescale, 1_000)
      time &+= sample.duration
      byteCount &+= sample.size
      guard byteCount <= Self.mostBytes,
        let bytes = try? movie.file.read(at: place, count: min(sample.size, 1 << 16)),
        bytes.count >= 2
      else { return }
      let length = Int(bytes[0]) << 8 | Int(bytes[1])
      let title = String(decoding: bytes.dropFirst(2).prefix(length), as: UTF8.self)
      if !title.isEmpty { chapters.append(MovieChapter(start: start, title: title)) }
    }
    return chapters
  }
}
