/// The position of a box in an ISO base media file (ISO/IEC 14496-12, 4.2).
struct MovieBox: Hashable, Sendable {
  /// The four letters.
  let type: String
  /// The first byte of the header.
  let start: Int
  /// The first byte after the header.
  let content: Int
  /// The first byte after the box.
  let end: Int

  var size: Int { end - start }
}

/// Bytes that hold boxes. Nothing is read beyond them, whatever their contents claim.
package struct MovieBytes: Sendable {
  /// All of them; none where they are read as they are looked at.
  package var bytes: [UInt8]
  private let blocks: FileBlocks?

  package init(bytes: [UInt8]) { (self.bytes, blocks) = (bytes, nil) }

  /// Bytes that are read as they are looked at, one number after another.
  init(_ blocks: FileBlocks) { (bytes, self.blocks) = ([], blocks) }

  var whole: Range<Int> { 0..<count }

  /// How many there are.
  var count: Int { blocks?.count ?? bytes.count }

  func integer(at offset: Int, bytes count: Int) -> Int? {
    if let blocks { return blocks.integer(at: offset, bytes: count).flatMap { Int(exactly: $0) } }
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var value: UInt64 = 0
    for index in offset..<offset + count { value = value << 8 | UInt64(bytes[index]) }
    return Int(exactly: value)
  }

  func u16(_ offset: Int) -> Int? { integer(at: offset, bytes: 2) }
  func u32(_ offset: Int) -> Int? { integer(at: offset, bytes: 4) }
  func u64(_ offset: Int) -> Int? { integer(at: offset, bytes: 8) }

  func s32(_ offset: Int) -> Int? { u32(offset).map { Int(Int32(truncatingIfNeeded: $0)) } }

  /// Writes over what is there. The place must be one that was read before.
  mutating func set(_ value: Int, at offset: Int, bytes count: Int) {
    guard offset >= 0, offset <= bytes.count - count else { return }
    for index in 0..<count {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index)))
    }
  }

  func type(at offset: Int) -> String? {
    if let blocks {
      return blocks.integer(at: offset, bytes: 4).map { letters in
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: letters >> (24 - 8 * $0)) }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
    guard offset >= 0, offset <= bytes.count - 4 else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  /// The box whose header is at an offset; `nil` where it doesn't fit below the limit.
  func box(at start: Int, limit: Int) -> MovieBox? {
    guard var size = u32(start), let type = type(at: start + 4) else { return nil }
    var content = start + 8
    if size == 1 {
      guard let large = u64(content) else { return nil }
      (size, content) = (large, content + 8)
    } else if size == 0 {
      size = limit - start
    }
    guard size >= content - start, size <= limit - start else { return nil }
    return MovieBox(type: type, start: start, content: content, end: start + size)
  }

  /// The boxes of another, one after another; those before the first that is broken.
  func boxes(of parent: MovieBox) -> [MovieBox] {
    var boxes: [MovieBox] = []
    forEachBox(of: parent) { boxes.append($0) }
    return boxes
  }

  /// Calls `body` with the boxes of another, one after another, and allocates nothing.
  func forEachBox(of parent: MovieBox, _ body: (MovieBox) -> Void) {
    var offset = parent.content
    while offset < parent.end, let box = box(at: offset, limit: parent.end) {
      body(box)
      offset = box.end
    }
  }

  /// The first box on a path of types below a box.
  func first(_ path: String..., in parent: MovieBox) -> MovieBox? {
    var box: MovieBox? = parent
    for type in path { box = box.flatMap { boxes(of: $0).first { $0.type == type } } }
    return box
  }

  /// The version of a full box.
  func version(_ box: MovieBox) -> Int { integer(at: box.content, bytes: 1) ?? 0 }
}
