import GraphKit

/// The blocks of an animated GIF, cut into one packet for each picture (GIF89a specification).
///
/// libav decodes the packets and composes the pictures; how long they are shown and how often is
/// only in blocks that it passes over.
struct AnimatedGIF {
  private(set) var packets: [[UInt8]] = []
  /// In nanoseconds.
  private(set) var durations: [Int64] = []
  /// How often all is shown; `nil` for ever.
  private(set) var plays: Int? = 1
  private let bytes: [UInt8]
  private let path: String
  private var offset = 13

  init(_ bytes: [UInt8], path: String) throws(NodeError) {
    self.bytes = bytes
    self.path = path
    try skipColorTable(flags: 10)
    var (start, delay) = (0, 0)
    while offset < bytes.count, bytes[offset] != 0x3B {
      switch bytes[offset] {
      case 0x21:
        if let new = try readExtension() { delay = new }
      case 0x2C:
        try skipImage()
        packets.append(Array(bytes[start..<offset]))
        durations.append(Animation.duration(Int64(delay) * 10_000_000))
        (start, delay) = (offset, 0)
      default: throw broken()
      }
    }
    guard !packets.isEmpty else { throw .brokenPicture(path, "has no picture") }
  }

  /// The pictures, each as large as the whole.
  func decode(with file: PictureFile) throws(NodeError) -> Animation {
    let packets = zip(packets, 0...).map { bytes, index in
      PictureDecoding.EncodedPicture(bytes, at: UInt64(index) * 1_000_000_000)
    }
    let decoded = try file.decode(packets, limit: PictureFile.largestPixelCount)
    return Animation(pictures: decoded, durations: durations, plays: plays)
  }

  /// The delay of a graphic control extension, in hundredths of a second. Keeps the count of the
  /// loop extension, which says how often the pictures are repeated.
  private mutating func readExtension() throws(NodeError) -> Int? {
    let label = try byte(offset + 1)
    let first = offset + 2
    let size = Int(try byte(first))
    if label == 0xF9, size >= 4 {
      let delay = try number(first + 2)
      offset = first
      try skipBlocks()
      return delay
    }
    if label == 0xFF, size == 11, first + 12 <= bytes.count,
      bytes[first + 1..<first + 12].elementsEqual("NETSCAPE2.0".utf8),
      try byte(first + 12) >= 3, try byte(first + 13) == 1
    {
      let count = try number(first + 14)
      plays = count == 0 ? nil : count + 1
    }
    offset = first
    try skipBlocks()
    return nil
  }

  private mutating func skipImage() throws(NodeError) {
    offset += 1
    try skipColorTable(flags: offset + 8, next: offset + 9)
    offset += 1
    try skipBlocks()
  }

  private mutating func skipColorTable(flags: Int, next: Int = 13) throws(NodeError) {
    let flags = try byte(flags)
    offset = next + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
  }

  private mutating func skipBlocks() throws(NodeError) {
    while true {
      let size = Int(try byte(offset))
      offset += size + 1
      if size == 0 { return }
    }
  }

  private func number(_ offset: Int) throws(NodeError) -> Int {
    Int(try byte(offset)) | Int(try byte(offset + 1)) << 8
  }

  private func byte(_ offset: Int) throws(NodeError) -> UInt8 {
    guard offset < bytes.count else { throw broken() }
    return bytes[offset]
  }

  private func broken() -> NodeError { .brokenPicture(path, "ends or breaks at byte \(offset)") }
}
