/// Numbers of a Matroska file's parts in place of those that a muxer draws by chance, and, unless it is
/// dated, no time at which it was made: equal contents give equal files.
///
/// Tracks, chapters and editions are numbered from 1. The file's own number may be left out (RFC 9559,
/// 5.1.2.1); it is for files that belong together, and these don't.
struct MatroskaIdentity {
  /// The numbers that were drawn, as bytes, and the new ones.
  private var numbers: [[UInt8]: Int] = [:]
  /// Whether the file says when it was made, and has a number of its own.
  var isDated = true

  /// ChapterUID and EditionUID; those that name them and tracks, of tags: TagTrackUID, TagChapterUID and
  /// TagEditionUID.
  private static let numbered: Set<Int> = [0x73c4, 0x45bc, 0x63c5, 0x63c4, 0x63c9]
  /// SegmentUUID and DateUTC.
  private static let leftOut: Set<Int> = [0x73a4, 0x4461]

  /// Whether an element is replaced.
  func replaces(_ id: Int) -> Bool {
    Self.numbered.contains(id) || !isDated && Self.leftOut.contains(id)
  }

  /// An element of so many bytes, two at least, that says nothing (RFC 8794, 11.3.2).
  static func nothing(_ count: Int) -> [UInt8] {
    let isLong = count > 128
    let rest = count - (isLong ? 9 : 2)
    let head = isLong ? [1] + EBML.bytes(of: rest, count: 7) : [UInt8(0x80 | rest)]
    return [0xec] + head + [UInt8](repeating: 0, count: rest)
  }

  /// What is written in place of an element, whose bytes begin with its head.
  mutating func replacement(of bytes: [UInt8], _ id: Int, head: Int) -> [UInt8] {
    guard Self.numbered.contains(id) else { return Self.nothing(bytes.count) }
    // None at all, which stands for all.
    guard bytes[head...].contains(where: { $0 != 0 }) else { return bytes }
    let number = number(of: Array(bytes[head...]))
    return bytes[..<head] + EBML.bytes(of: number, count: bytes.count - head)
  }

  /// The number in place of one that was drawn.
  mutating func number(of drawn: [UInt8]) -> Int {
    // Each has as many bytes as its first one needs.
    let key = Array(drawn.drop { $0 == 0 })
    let number = numbers[key, default: numbers.count + 1]
    numbers[key] = number
    return number
  }
}
