/// The checksum that FLAC files have of their samples (RFC 1321).
package struct MD5: Sendable {
  private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
  private var pending: [UInt8] = []
  /// Bytes so far.
  package private(set) var byteCount = 0

  package init() {}

  /// Takes the bytes that follow.
  package mutating func add(_ bytes: Span<UInt8>) {
    byteCount += bytes.count
    var words = [UInt32](repeating: 0, count: 16)
    var place = 0
    if !pending.isEmpty {
      let count = min(64 - pending.count, bytes.count)
      pending.append(copying: bytes.extracting(first: count))
      place = count
      guard pending.count == 64 else { return }
      Self.read(pending.span, 0, into: &words)
      pending.removeAll(keepingCapacity: true)
      mix(words)
    }
    while place + 64 <= bytes.count {
      Self.read(bytes, place, into: &words)
      mix(words)
      place += 64
    }
    if place < bytes.count { pending.append(copying: bytes.extracting(droppingFirst: place)) }
  }

  /// The checksum of what was added so far, 16 bytes.
  package var value: [UInt8] {
    var end = self
    let zeros = (119 - byteCount % 64) % 64
    let bits = UInt64(byteCount) &* 8
    let rest =
      [0x80] + [UInt8](repeating: 0, count: zeros)
      + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    end.add(rest.span)
    return end.state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
  }

  private static func read(_ bytes: Span<UInt8>, _ place: Int, into words: inout [UInt32]) {
    for index in 0..<16 {
      let start = place + 4 * index
      words[index] =
        UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]) << 16
        | UInt32(bytes[start + 3]) << 24
    }
  }

  private mutating func mix(_ words: [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
      let (sum, word) = Self.round(index, b, c, d)
      let turned = a &+ sum &+ Self.sines[index] &+ words[word]
      let shift = Self.shifts[index / 16 * 4 + index % 4]
      (a, d, c, b) = (d, c, b, b &+ (turned << shift | turned >> (32 - shift)))
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }

  private static func round(
    _ index: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32
  ) -> (UInt32, Int) {
    switch index / 16 {
    case 0: (b & c | ~b & d, index)
    case 1: (d & b | ~d & c, (5 * index + 1) % 16)
    case 2: (b ^ c ^ d, (3 * index + 5) % 16)
    default: (c ^ (b | ~d), 7 * index % 16)
    }
  }

  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

  /// The whole parts of |sin(n)| times 2^32, for n from 1 to 64 (RFC 1321, 3.4).
  private static let sines: [UInt32] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613,
    0xfd46_9501, 0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193,
    0xa679_438e, 0x49b4_0821, 0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d,
    0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8, 0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
    0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a, 0xfffa_3942, 0x8771_f681, 0x6d9d_6122,
    0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70, 0x289b_7ec6, 0xeaa1_27fa,
    0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665, 0xf429_2244,
    0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb,
    0xeb86_d391,
  ]
}
