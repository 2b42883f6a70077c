/// A page of an Ogg stream while it fills (RFC 3533, 6).
struct OggPage: Sendable {
  private let serial: UInt32
  private var number: UInt32 = 0
  private var segments: [UInt8] = []
  private var body: [UInt8] = []
  /// Whether its first bytes go on with a packet that an earlier page began.
  private var isContinued = false
  /// Whether a packet ends in it, and whether its last goes on in the next page.
  private(set) var hasEnd = false
  private var endsInside = false

  /// Bytes after which a page is usually ended.
  static let usualSize = 8_192

  init(serial: UInt32) { self.serial = serial }

  var size: Int { 27 + segments.count + body.count }
  var isFull: Bool { segments.count == 255 }
  /// Adds a packet, or the rest of one, as far as it fits, and takes away what did; whether its end is
  /// in the page.
  mutating func add(_ packet: inout ArraySlice<UInt8>) -> Bool {
    while segments.count < 255 {
      let count = min(255, packet.count)
      segments.append(UInt8(count))
      body += packet.prefix(count)
      packet = packet.dropFirst(count)
      guard count == 255 else {
        (hasEnd, endsInside) = (true, false)
        return true
      }
    }
    endsInside = true
    return false
  }

  /// The page, with the frame up to which its packets go, -1 where none ends in it; what follows is
  /// another.
  mutating func take(granule: Int, isLast: Bool = false) -> [UInt8] {
    func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    let flags: UInt8 = (isContinued ? 1 : 0) | (number == 0 ? 2 : 0) | (isLast ? 4 : 0)
    var page = Array("OggS".utf8) + [0, flags]
    page += bytes(UInt64(bitPattern: Int64(granule)), 8) + bytes(UInt64(serial), 4)
    page += bytes(UInt64(number), 4) + [0, 0, 0, 0, UInt8(segments.count)] + segments + body
    Self.seal(&page)
    number &+= 1
    isContinued = endsInside
    (segments, body, hasEnd, endsInside) = ([], [], false, false)
    return page
  }

  /// Writes a page's checksum.
  static func seal(_ page: inout [UInt8]) {
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    let sum = checksum(page, from: 0)
    for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
  }

  /// The checksum of bytes after others: polynomial 0x04c11db7, the highest bit first.
  static func checksum(_ bytes: [UInt8], from start: UInt32) -> UInt32 {
    bytes.reduce(start) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in
      sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04c1_1db7
    }
  }
}
