/// The chunks of a PNG file (PNG specification, section 5.3): read one after another, and written.
struct PNGChunks {
  /// One chunk.
  struct Chunk {
    var type: String
    var data: [UInt8]

    /// A number of the data, its highest byte first; 0 where the data ends before.
    func number(at offset: Int, bytes: Int = 4) -> Int {
      guard offset + bytes <= data.count else { return 0 }
      return data[offset..<offset + bytes].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private let bytes: [UInt8]
  /// Where the next chunk begins.
  private(set) var offset = 8

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next chunk that is whole; whether its sum is right is left to who decodes it.
  mutating func next() -> Chunk? {
    nextPlace().map { Chunk(type: $0.type, data: Array(bytes[$0.data])) }
  }

  /// The same, by where its data is.
  private mutating func nextPlace() -> (type: String, data: Range<Int>)? {
    guard offset + 12 <= bytes.count else { return nil }
    let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - offset - 12 else { return nil }
    let start = offset + 8
    let type = String(decoding: bytes[offset + 4..<start], as: UTF8.self)
    offset = start + length + 4
    return (type, start..<start + length)
  }

  /// Where a file ends or breaks before its last chunk: some decoders show what there is of it; `nil` for
  /// one that is whole.
  static func end(of bytes: [UInt8]) -> Int? {
    var chunks = PNGChunks(bytes)
    while let type = chunks.nextPlace()?.type { if type == "IEND" { return nil } }
    return chunks.offset
  }

  /// Whether values have 16 bits, or one colour without a palette is transparent.
  static func areDeepOrKeyed(_ bytes: [UInt8]) -> Bool {
    guard let header = PNGHeader(bytes) else { return false }
    guard header.depth < 16 else { return true }
    var chunks = PNGChunks(bytes)
    while let type = chunks.nextPlace()?.type, type != "IDAT" {
      if type == "tRNS" { return !header.hasPalette }
    }
    return false
  }

  /// The bytes of a chunk.
  static func chunk(_ type: String, _ data: some Collection<UInt8>) -> [UInt8] {
    let named = Array(type.utf8) + data
    return big(UInt32(clamping: data.count)) + named + big(checksum(named))
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// CRC-32 as in ISO 3309 (PNG specification, annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 255)] ^ sum >> 8 }
    return ~sum
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
  }
}

/// What the header of a PNG file says of its values (PNG specification, section 11.2.2).
struct PNGHeader {
  /// The bytes of a file that say it.
  static let byteCount = 26

  /// The bits of a value.
  let depth: Int
  /// Whether a pixel is red, green and blue, without alpha and without a palette.
  let isRGB: Bool
  /// Whether a pixel is the number of a colour.
  let hasPalette: Bool

  /// Reads the first bytes of a file; `nil` where they aren't those of a PNG.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: PNGChunks.signature) else { return nil }
    (depth, isRGB, hasPalette) = (Int(bytes[24]), bytes[25] == 2, bytes[25] == 3)
  }
}
