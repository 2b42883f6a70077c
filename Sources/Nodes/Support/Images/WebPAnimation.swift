import GraphKit

/// An animated WebP of single ones (RFC 9649, section 2.7).
struct WebPAnimation: AnimationLayout {
  private let plays: Int
  private var size = (width: 1, height: 1)
  private var hasAlpha = false

  init(plays: Int) { self.plays = plays }

  mutating func image(_ bytes: [UInt8], milliseconds: Int) throws(NodeError) -> [UInt8] {
    let parts = Self.chunks(of: bytes).filter { ["ALPH", "VP8 ", "VP8L"].contains($0.type) }
    guard let picture = parts.last, let found = Self.size(picture) else {
      throw NodeError("an image isn't WebP", remedy: "look at the element `webpenc`")
    }
    size = found.size
    if found.hasAlpha || parts.count > 1 { hasAlpha = true }
    var frame: [UInt8] = []
    frame.append(0, bytes: 3)
    frame.append(0, bytes: 3)
    frame.append(size.width - 1, bytes: 3)
    frame.append(size.height - 1, bytes: 3)
    frame.append(min(milliseconds, 0xff_ffff), bytes: 3)
    // It takes the place of the image before, rather than to be blended with it.
    frame.append(0b10)
    for part in parts { frame += Self.chunk(part.type, part.data) }
    return Self.chunk("ANMF", frame)
  }

  let endByteCount = 0
  let end: [UInt8] = []

  let mostBytes = Int(UInt32.max)

  func head(byteCount: Int) -> [UInt8] {
    var features: [UInt8] = [hasAlpha ? 0x12 : 0x02, 0, 0, 0]
    features.append(size.width - 1, bytes: 3)
    features.append(size.height - 1, bytes: 3)
    var animation: [UInt8] = [0, 0, 0, 0]
    animation.append(plays, bytes: 2)
    var head = Array("RIFF".utf8)
    head.append(max(0, byteCount - 8), bytes: 4)
    return head + Array("WEBP".utf8) + Self.chunk("VP8X", features) + Self.chunk("ANIM", animation)
  }

  private typealias Chunk = (type: String, data: ArraySlice<UInt8>)

  private static func chunks(of bytes: [UInt8]) -> [Chunk] {
    var (found, offset): ([Chunk], Int) = ([], 12)
    while offset + 8 <= bytes.count {
      let count = bytes[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard count <= bytes.count - offset - 8 else { break }
      let type = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      found.append((type, bytes[offset + 8..<offset + 8 + count]))
      offset += 8 + count + count % 2
    }
    return found
  }

  private static func chunk(_ type: String, _ data: some Collection<UInt8>) -> [UInt8] {
    var chunk = Array(type.utf8)
    chunk.append(data.count, bytes: 4)
    chunk += data
    if data.count % 2 == 1 { chunk.append(0) }
    return chunk
  }

  /// The size of a picture, by its first bytes (RFC 6386, section 9.1; RFC 9649, section 3.4).
  private static func size(
    _ chunk: Chunk
  ) -> (size: (width: Int, height: Int), hasAlpha: Bool)? {
    let bytes = Array(chunk.data.prefix(10)).map { Int($0) }
    if chunk.type == "VP8 ", bytes.count == 10 {
      let (width, height) = (bytes[6] | bytes[7] << 8, bytes[8] | bytes[9] << 8)
      return ((width & 0x3fff, height & 0x3fff), false)
    }
    guard chunk.type == "VP8L", bytes.count >= 5 else { return nil }
    let bits = bytes[1] | bytes[2] << 8 | bytes[3] << 16 | bytes[4] << 24
    let (width, height) = (1 + bits & 0x3fff, 1 + (bits >> 14) & 0x3fff)
    return ((width, height), bits >> 28 & 1 == 1)
  }
}

extension [UInt8] {
  /// Appends a number, its lowest byte first.
  fileprivate mutating func append(_ number: Int, bytes: Int) {
    for byte in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }
}
