/// A moment of a movie that was marked while it was recorded.
package struct ChapterMark: Hashable, Sendable {
  /// In nanoseconds, as the times of samples are.
  package var time: Int64
  package var title: String

  package init(time: Int64, title: String) { (self.time, self.title) = (time, title) }
}

/// The moments of a movie that were marked, which become chapters of it.
///
/// Each fragment has those that were marked since the one before, so that a movie that was cut off has
/// them too: a `free` box in its `moof`, after the seal, where other readers pass over it. It has the
/// word `gkm1`, and of each mark the time in nanoseconds from the movie's beginning, in 64 bits, the
/// length of the title, in 16, and the title in UTF-8.
package struct ChapterMarks: Sendable {
  /// How many a movie has at most.
  package static let most = 10_000
  /// How many bytes a title has at most, in UTF-8.
  package static let longestTitle = 1_024
  private static let word = "gkm1"

  private(set) var all: [ChapterMark] = []
  private var writtenCount = 0

  mutating func add(_ mark: ChapterMark) { all.append(mark) }

  /// Those that are in no fragment yet, with times from the movie's beginning.
  mutating func takeUnwritten(from start: Int64) -> [ChapterMark] {
    defer { writtenCount = all.count }
    return all[writtenCount...].map { ChapterMark(time: $0.time &- start, title: $0.title) }
  }

  /// Takes away those from a time on.
  mutating func remove(from time: Int64) -> [ChapterMark] {
    let removed = all.filter { $0.time >= time }
    writtenCount = all[..<writtenCount].count { $0.time < time }
    all.removeAll { $0.time >= time }
    return removed
  }

  /// How many bytes they take at most, in a fragment, as samples and in the list of chapters.
  var byteCount: Int { all.reduce(0) { $0 + 80 + 3 * $1.title.utf8.count } }

  /// The chapters of a movie that begins at a time.
  func chapters(from start: Int64) -> [MovieChapter] { all.map { $0.chapter(from: start) } }
}

extension ChapterMark {
  /// The chapter of a movie that begins at a time.
  func chapter(from start: Int64) -> MovieChapter {
    let milliseconds = MovieTimeline.units(max(0, time &- start), 1_000)
    return MovieChapter(start: milliseconds, title: title)
  }
}

// MARK: Reading and writing

extension ChapterMarks {
  static func write(_ marks: [ChapterMark], to writer: inout BoxWriter) {
    writer.box("free") { writer in
      writer.write(word)
      for mark in marks {
        let title = MovieText.cut(mark.title, to: longestTitle)
        writer.write(Int(mark.time), bytes: 8)
        writer.write(title.count, bytes: 2)
        writer.write(title)
      }
    }
  }

  /// Adds the marks that a `moof` box has, as far as they are whole.
  mutating func read(in data: MovieBytes) {
    guard let fragment = data.box(at: 0, limit: data.bytes.count) else { return }
    data.forEachBox(of: fragment) { box in
      guard box.type == "free", data.type(at: box.content) == Self.word else { return }
      var place = box.content + 4
      while all.count < Self.most, place <= box.end - 10, let mark = Self.mark(in: data, at: place)
      {
        place += 10 + mark.size
        guard place <= box.end else { return }
        all.append(mark.mark)
      }
    }
  }

  private static func mark(
    in data: MovieBytes, at place: Int
  ) -> (mark: ChapterMark, size: Int)? {
    guard let high = data.u32(place), let low = data.u32(place + 4), let size = data.u16(place + 8),
      size <= data.bytes.count - place - 10
    else { return nil }
    let time = Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
    let title = String(decoding: data.bytes[place + 10..<place + 10 + size], as: UTF8.self)
    return (ChapterMark(time: time, title: title), size)
  }
}

// MARK: Marking

extension MovieWriter {
  /// When the newest sample is presented that others wait for; `nil` before the first.
  package var newestTime: Int64? {
    tracks.filter { !$0.isSparse }.compactMap(\.newest).max() ?? tracks.compactMap(\.newest).max()
  }

  /// How many moments are marked.
  package var markCount: Int { marks.all.count }

  /// Marks a moment, which becomes a chapter of the movie. It is in the file with the next fragment.
  package mutating func mark(_ title: String, at time: Int64) {
    marks.add(ChapterMark(time: time, title: title))
  }

  /// Takes away the marks from a time on, which are of another movie.
  package mutating func removeMarks(from time: Int64) -> [ChapterMark] { marks.remove(from: time) }
}
