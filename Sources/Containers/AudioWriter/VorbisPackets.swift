/// How many frames the packets of a Vorbis stream decode to (Vorbis I specification, 4.3 and 4.2.4).
package struct VorbisPackets: Sendable {
  private let blockSizes: [Int]
  /// For each mode of the stream, whether its blocks are long.
  private let areLong: [Bool]
  private var last: Int?

  /// A stream by its three headers; `nil` where they aren't those of one.
  package init?(_ headers: [[UInt8]]) {
    guard headers.count >= 3, headers[0].count >= 30, headers[0].first == 1,
      headers[2].first == 5, let modes = Self.modes(in: headers[2])
    else { return nil }
    blockSizes = [Int(headers[0][28] & 15), Int(headers[0][28] >> 4)].map { 1 << $0 }
    areLong = modes
  }

  /// Frames that are known with the next packet: the halves of its block and the one before overlap.
  package mutating func frames(_ packet: Span<UInt8>) -> Int {
    guard packet.count > 0, packet[0] & 1 == 0 else { return 0 }
    let bits = Int.bitWidth - (areLong.count - 1).leadingZeroBitCount
    let mode = Int(packet[0] >> 1) & ((1 << bits) - 1)
    let size = blockSizes[areLong.indices.contains(mode) && areLong[mode] ? 1 : 0]
    defer { last = size }
    return last.map { ($0 + size) / 4 } ?? 0
  }

  /// The modes, which are the last that the header has: they are read from its end on, as what is
  /// before them can't be passed over without decoding it. Of several readings the longest that its
  /// own count confirms is the right one.
  private static func modes(in header: [UInt8]) -> [Bool]? {
    var bits = BackwardBits(bytes: header)
    while bits.left > 97, bits.read(1) == 0 {}
    let start = bits.place
    var (count, confirmed) = (0, 0)
    while bits.left >= 97, count < 64 {
      guard bits.read(8) < 64, bits.read(16) == 0, bits.read(16) == 0 else { break }
      _ = bits.read(1)
      count += 1
      var ahead = bits
      if ahead.read(6) + 1 == count { confirmed = count }
    }
    guard confirmed > 0 else { return nil }
    bits.place = start
    let modes = (0..<confirmed).map { _ in
      bits.place += 40
      return bits.read(1) == 1
    }
    return modes.reversed()
  }
}

/// Bits of a header from its last to its first: numbers come out as they were written.
private struct BackwardBits {
  let bytes: [UInt8]
  /// Bits that were read.
  var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var left: Int { bytes.count * 8 - place }

  mutating func read(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      let byte = bytes.count - 1 - place / 8
      let bit = byte >= 0 ? Int(bytes[byte] >> UInt8(7 - place % 8)) & 1 : 0
      value = value << 1 | bit
      place += 1
    }
    return value
  }
}
