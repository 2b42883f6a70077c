import GraphKitSystem

/// The elements of a file of EBML (RFC 8794), one after the other.
struct EBMLElements {
  struct Element {
    let id: Int
    /// Where its contents begin.
    let start: Int
    /// Where they end; `nil` where it doesn't say.
    let end: Int?
  }

  private let file: File
  let size: Int
  /// Where the next element begins.
  var offset = 0
  private var window: [UInt8] = []
  private var windowStart = 0

  init(file: File) { (self.file, size) = (file, file.size) }

  /// The header of the next element; `nil` at the end, or where there is none.
  mutating func next() throws(File.Failure) -> Element? {
    let head = try bytes(at: offset, count: 12)
    guard let first = head.first else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard length <= 4, length < head.count else { return nil }
    let id = head[..<length].reduce(0) { $0 << 8 | Int($1) }
    let width = head[length].leadingZeroBitCount + 1
    guard width <= 8, length + width <= head.count else { return nil }
    let start = offset + length + width
    let count = EBML.number(head, length)
    return Element(id: id, start: start, end: count.map { start + $0.value })
  }

  /// Some bytes of the file, of a block of it that is kept; fewer at the end.
  mutating func bytes(at place: Int, count: Int) throws(File.Failure) -> [UInt8] {
    if place < windowStart || place + count > windowStart + window.count {
      window = try file.read(at: place, count: max(count, 512))
      windowStart = place
    }
    let first = place - windowStart
    return Array(window[min(first, window.count)..<min(first + count, window.count)])
  }

  /// Forgets the bytes that are kept, which have been written over.
  mutating func forget() { (window, windowStart) = ([], 0) }

  /// An element's contents as a number.
  mutating func number(_ element: Element) throws(File.Failure) -> Int {
    let count = min(8, (element.end ?? element.start) - element.start)
    let value = try bytes(at: element.start, count: count).reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int(clamping: value)
  }

  /// An element's contents as a text of so many bytes at most.
  mutating func text(_ element: Element, limit: Int = 100) throws(File.Failure) -> String {
    let count = min(limit, (element.end ?? element.start) - element.start)
    let text = try bytes(at: element.start, count: count).prefix { $0 != 0 }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Numbers of EBML.
enum EBML {
  /// An unsigned number in so many bytes, the highest first.
  static func bytes(of number: Int, count: Int) -> [UInt8] {
    (0..<count).map { index in
      let shift = 8 * (count - 1 - index)
      return shift < 64 ? UInt8(truncatingIfNeeded: number >> shift) : 0
    }
  }

  /// An element: its identifier, its length in eight bytes, and its contents.
  static func element(_ id: Int, _ contents: [UInt8]) -> [UInt8] {
    let count = max(1, (id.bitWidth - id.leadingZeroBitCount + 7) / 8)
    return bytes(of: id, count: count) + [1] + bytes(of: contents.count, count: 7) + contents
  }

  /// A number: as many bytes follow its first as that has zeros in front (RFC 8794, 4). All ones say
  /// that it isn't known.
  static func number(_ bytes: [UInt8], _ offset: Int) -> (value: Int, end: Int)? {
    guard bytes.indices.contains(offset) else { return nil }
    let length = bytes[offset].leadingZeroBitCount + 1
    guard length <= 8, offset + length <= bytes.count else { return nil }
    let rest = bytes[offset + 1..<offset + length]
    let value = rest.reduce(Int(bytes[offset]) & (0xff >> length)) { $0 << 8 | Int($1) }
    return value == 1 << (7 * length) - 1 ? nil : (value, offset + length)
  }
}
