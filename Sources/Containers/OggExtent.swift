import GraphKitSystem

/// What the pages of an Ogg file say of its end (RFC 3533, 6): the last one of a stream has a flag,
/// and all of one have a number.
struct OggExtent {
  /// The header of a page.
  private struct Page {
    let flags: UInt8
    let serial: Int
    /// Which page of its stream it is.
    let number: UInt32
    /// The checksum of its bytes (6).
    let sum: UInt32
    let size: Int
    /// Where the page ends, in units of its codec; -1 where no packet ends on it.
    let position: Int64

    var isFirst: Bool { flags & 2 != 0 }
    var isLast: Bool { flags & 4 != 0 }

    package init?(_ bytes: ArraySlice<UInt8>) {
      let head = Array(bytes.prefix(27 + 255))
      guard head.count >= 27, head.starts(with: Array("OggS".utf8) + [0]) else { return nil }
      let segments = Int(head[26])
      guard head.count >= 27 + segments else { return nil }
      flags = head[5]
      func word(_ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(head[place + $1]) << (8 * UInt32($1)) }
      }
      (serial, number, sum) = (Int(word(14)), word(18), word(22))
      let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(head[6 + $1]) << (8 * $1) }
      position = Int64(bitPattern: bits)
      size = 27 + segments + head[27..<27 + segments].reduce(0) { $0 + Int($1) }
    }
  }

  /// The numbers of the streams that begin at the file's start.
  private var serials: Set<Int> = []
  private let last: Page
  /// Whether the file ends within a page.
  private let endsInPage: Bool

  /// The longest header of a page (RFC 3533, 6).
  private static let longestHead = 27 + 255

  /// Where the first page is that isn't one, whose bytes aren't those of its checksum, or that isn't
  /// the next of its stream; `nil`, too, of a file that ends within a page.
  static func firstDamage(_ file: File) throws(File.Failure) -> Int? {
    var (place, numbers) = (0, [Int: UInt32]())
    while place < file.size {
      let head = try file.read(at: place, count: longestHead)
      guard let page = Page(head[...]) else { return head.count < longestHead ? nil : place }
      var bytes = try file.read(at: place, count: page.size)
      guard bytes.count == page.size else { return nil }
      bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
      guard OggPage.checksum(bytes, from: 0) == page.sum,
        page.isFirst || numbers[page.serial].map({ page.number == $0 &+ 1 }) ?? true
      else { return place }
      numbers[page.serial] = page.number
      place += page.size
    }
    return nil
  }

  /// No page is longer (RFC 3533, 6).
  private static let longestPage = 27 + 255 + 255 * 255

  package init?(_ file: File) {
    var place = 0
    // A file of nothing but first pages would be walked for long.
    for _ in 0..<1_000 {
      guard let bytes = try? file.read(at: place, count: Self.longestHead),
        let page = Page(bytes[...]), page.isFirst
      else { break }
      serials.insert(page.serial)
      place += page.size
    }
    let start = max(0, file.size - 2 * Self.longestPage)
    guard let bytes = try? file.read(at: start, count: file.size - start),
      let (offset, last) = Self.lastPage(bytes)
    else { return nil }
    self.last = last
    endsInPage = start + offset + last.size > file.size
  }

  private static func lastPage(_ bytes: [UInt8]) -> (offset: Int, page: Page)? {
    for place in bytes.indices.reversed() where bytes[place] == 0x4f {
      if let page = Page(bytes[place...]) { return (place, page) }
    }
    return nil
  }

  func shortfall(of path: String) -> String? {
    guard serials.contains(last.serial) else {
      return "`\(path)` goes on after its first stream with another, which isn't read: "
        + "cut it into files of one stream each"
    }
    // Theora counts key frames in the upper bits: its streams of many days come near.
    guard (-1..<1 << 60).contains(last.position) else {
      return "`\(path)` is damaged: its last page says that it ends at \(last.position), which no "
        + "stream reaches, and what is on it may be missing"
    }
    if endsInPage { return "`\(path)` was cut off: it ends within a page" }
    return last.isLast
      ? nil : "`\(path)` was cut off, or recorded live: it ends without the last page"
  }
}
