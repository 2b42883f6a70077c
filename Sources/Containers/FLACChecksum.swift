/// The checksum of a frame of FLAC (RFC 9639, 9.3), of more and more bytes: however many places might be
/// a frame's end, each byte is read once.
struct FLACChecksum {
  private var sum: UInt16 = 0
  private var count = 0

  /// Whether some first bytes end with the checksum of those before it. They are at least as many as
  /// were asked for before.
  mutating func isIntact(_ bytes: Span<UInt8>, upTo end: Int) -> Bool {
    addEights(bytes, upTo: end)
    while count < end {
      sum = sum << 8 ^ Self.remainders[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ bytes[count])]
      count += 1
    }
    return sum == 0
  }

  /// Adds eight bytes at a time.
  private mutating func addEights(_ bytes: Span<UInt8>, upTo end: Int) {
    let table = Self.remainders.span
    while count + 8 <= end {
      let first = Int(bytes[count] ^ UInt8(truncatingIfNeeded: sum >> 8))
      let second = Int(bytes[count + 1] ^ UInt8(truncatingIfNeeded: sum))
      let upper =
        table[1_792 + first] ^ table[1_536 + second] ^ table[1_280 + Int(bytes[count + 2])]
        ^ table[1_024 + Int(bytes[count + 3])]
      sum =
        upper ^ table[768 + Int(bytes[count + 4])] ^ table[512 + Int(bytes[count + 5])]
        ^ table[256 + Int(bytes[count + 6])] ^ table[Int(bytes[count + 7])]
      count += 8
    }
  }

  /// What each byte adds to the checksum, alone and with one to seven bytes after it.
  private static let remainders: [UInt16] = {
    var all = (0...255).map { byte in
      (0..<8).reduce(UInt16(byte) << 8) { sum, _ in
        sum << 1 ^ (sum & 0x8000 == 0 ? 0 : 0x8005)
      }
    }
    for _ in 0..<7 { all += all.suffix(256).map { $0 << 8 ^ all[Int($0 >> 8)] } }
    return all
  }()
}
