import GraphKitSystem

/// Reads the chapters of Matroska and WebM files (RFC 9559, 5.1.7).
package enum MatroskaChapters {
  /// Those of the default edition of a file, or of the first that has any, from when its media begin;
  /// none where it is no such file, or has none. Those that are hidden, and the parts of chapters, are
  /// left out. `start` is the file's beginning.
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
  /// When the media begin, in nanoseconds: all is presented from there on.
  private var origin = 0
  /// How many elements are looked at yet: a file may have them without end.
  private var left = 1_000_000

  init(file: File) { elements = EBMLElements(file: file) }

  mutating func chapters() throws(File.Failure) -> [MovieChapter] {
    guard let list = try list() else { return [] }
    let editions = try children(of: list, 0x45b9)
    var chosen: [MovieChapter] = []
    for edition in editions {
      let isDefault = try number(0x45db, in: edition) == 1
      guard chosen.isEmpty || isDefault else { continue }
      let found = try chapters(of: edition)
      if !found.isEmpty { chosen = found }
      if isDefault, !found.isEmpty { break }
    }
    return chosen
  }

  private mutating func chapters(of edition: Element) throws(File.Failure) -> [MovieChapter] {
    var chapters: [MovieChapter] = []
    for atom in try children(of: edition, 0xb6) {
      if let chapter = try chapter(atom) { chapters.append(chapter) }
    }
    return chapters.sorted { $0.start < $1.start }
  }

  /// The list of chapters: among what is before the media, or where an index says that it is. Finds out
  /// when the media begin, too.
  private mutating func list() throws(File.Failure) -> Element? {
    guard let head = try elements.next(), let end = head.end else { return nil }
    elements.offset = end
    guard let segment = try elements.next(), segment.id == 0x1853_8067 else { return nil }
    elements.offset = segment.start
    var (list, sought, scale) = (Element?.none, Int?.none, 1_000_000)
    while let element = try next() {
      if element.id == 0x1f43_b675 {
        elements.offset = element.start
        origin = try time(scale: scale)
        break
      }
      guard let end = element.end else { break }
      switch element.id {
      case Self.list: list = list ?? element
      case 0x114d_9b74: sought = try position(in: element) ?? sought
      case 0x1549_a966: scale = try number(0x2ad7b1, in: element) ?? scale
      default: break
      }
      elements.offset = end
    }
    if let list { return list }
    guard let sought, sought < elements.size else { return nil }
    elements.offset = segment.start + sought
    return try elements.next().flatMap { $0.id == Self.list ? $0 : nil }
  }

  private static let list = 0x1043_a770

  /// When the first block of a cluster is presented, in nanoseconds: those of other tracks may be before
  /// its own time. Its first element comes next.
  private mutating func time(scale: Int) throws(File.Failure) -> Int {
    var (time, first, count) = (0, Int?.none, 0)
    while count < Self.mostBlocks, let element = try next(), let end = element.end {
      elements.offset = end
      switch element.id {
      case 0xe7: time = try elements.number(element)
      // What is in a group comes next.
      case 0xa0: elements.offset = element.start
      case 0xa1, 0xa3:
        count += 1
        let block = try blockTime(element)
        first = min(first ?? block, block)
      case 0x1f43_b675: count = Self.mostBlocks
      default: break
      }
    }
    let (start, isTooLarge) = time.addingReportingOverflow(first ?? 0)
    let (value, isLarge) = start.multipliedReportingOverflow(by: scale)
    return isTooLarge || isLarge ? 0 : max(0, value)
  }

  /// Blocks that are looked at: the tracks' first ones are among them.
  private static let mostBlocks = 64

  /// The time of a block, from that of its cluster (RFC 9559, 10.1).
  private mutating func blockTime(_ block: Element) throws(File.Failure) -> Int {
    let head = try elements.bytes(at: block.start, count: 10)
    guard let (_, place) = EBML.number(head, 0), place + 2 <= head.count else { return 0 }
    return Int(Int16(truncatingIfNeeded: Int(head[place]) << 8 | Int(head[place + 1])))
  }

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
      try number(0x4598, in: atom) ?? 1 == 1
    else { return nil }
    for display in try children(of: atom, 0x80) {
      guard let title = try children(of: display, 0x85).first else { continue }
      let text = try elements.text(title, limit: Self.longestTitle)
      byteCount += text.utf8.count
      guard byteCount <= Self.mostBytes else { return nil }
      guard !text.isEmpty else { continue }
      let (milliseconds, rest) = max(0, start - origin).quotientAndRemainder(dividingBy: 1_000_000)
      return MovieChapter(start: milliseconds + (rest < 500_000 ? 0 : 1), title: text)
    }
    return nil
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
