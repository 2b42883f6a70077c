import GraphKitSystem

/// Reads the chapters of Matroska and WebM files (RFC 9559, 5.1.7).
package enum MatroskaChapters {
  /// Those of the default edition of a file, or of its first; none where it is no such file, or has
  /// none. Those that are hidden, and the parts of chapters, are left out. `start` is the file's
  /// beginning.
  package static func read(_ file: File, _ start: [UInt8]) -> [MovieChapter] {
    guard start.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) else { return [] }
    var walk = ChapterWalk(file: file)
    return (try? walk.chapters()) ?? []
  }
}

private struct ChapterWalk {
  private typealias Element = EBMLElements.Element

  /// The most bytes of titles.
  private static let mostBytes = 16 << 20
  private static let longestTitle = 1 << 16

  private var elements: EBMLElements
  private var byteCount = 0
  /// How many elements are looked at yet: a file may have them without end.
  private var left = 1_000_000

  init(file: File) { elements = EBMLElements(file: file) }

  mutating func chapters() throws(File.Failure) -> [MovieChapter] {
    guard let list = try list() else { return [] }
    let editions = try children(of: list, 0x45b9)
    var chosen = editions.first
    for edition in editions where try number(0x45db, in: edition) == 1 {
      chosen = edition
      break
    }
    guard let chosen else { return [] }
    var chapters: [MovieChapter] = []
    for atom in try children(of: chosen, 0xb6) {
      if let chapter = try chapter(atom) { chapters.append(chapter) }
    }
    return chapters.sorted { $0.start < $1.start }
  }

  /// The list of chapters: among what is before the media, or where an index says that it is.
  private mutating func list() throws(File.Failure) -> Element? {
    guard let head = try elements.next(), let end = head.end else { return nil }
    elements.offset = end
    guard let segment = try elements.next(), segment.id == 0x1853_8067 else { return nil }
    elements.offset = segment.start
    var sought: Int?
    while true {
      guard let element = try next(), element.id != 0x1f43_b675, let end = element.end
      else { break }
      if element.id == Self.list { return element }
      if element.id == 0x114d_9b74 { sought = try position(in: element) ?? sought }
      elements.offset = end
    }
    guard let sought, sought < elements.size else { return nil }
    elements.offset = segment.start + sought
    return try elements.next().flatMap { $0.id == Self.list ? $0 : nil }
  }

  private static let list = 0x1043_a770

  /// Where an index of elements says that the chapters are, from the beginning of what it is in.
  private mutating func position(in index: Element) throws(File.Failure) -> Int? {
    for entry in try children(of: index, 0x4dbb)
    where try number(0x53ab, in: entry) == Self.list {
      return try number(0x53ac, in: entry)
    }
    return nil
  }

  private mutating func chapter(_ atom: Element) throws(File.Failure) -> MovieChapter? {
    guard let start = try number(0x91, in: atom), try number(0x98, in: atom) ?? 0 == 0,
      try number(0x4598, in: atom) ?? 1 == 1,
      let display = try children(of: atom, 0x80).first,
      let title = try children(of: display, 0x85).first
    else { return nil }
    let text = try elements.text(title, limit: Self.longestTitle)
    byteCount += text.utf8.count
    guard !text.isEmpty, byteCount <= Self.mostBytes else { return nil }
    return MovieChapter(start: start / 1_000_000, title: text)
  }

  /// The elements of a kind within another; none of one whose end isn't in the file.
  private mutating func children(
    of parent: Element, _ kind: Int
  ) throws(File.Failure) -> [Element] {
    guard let limit = parent.end, limit <= elements.size else { return [] }
    var found: [Element] = []
    elements.offset = parent.start
    while elements.offset < limit, let element = try next(), let end = element.end, end <= limit {
      if element.id == kind { found.append(element) }
      elements.offset = end
    }
    return found
  }

  private mutating func next() throws(File.Failure) -> Element? {
    left -= 1
    return left > 0 ? try elements.next() : nil
  }

  /// A number within an element; `nil` where it isn't there.
  private mutating func number(_ kind: Int, in parent: Element) throws(File.Failure) -> Int? {
    guard let element = try children(of: parent, kind).first else { return nil }
    return try elements.number(element)
  }
}
