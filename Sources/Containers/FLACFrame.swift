/// The header of a frame of FLAC (RFC 9639, 9.1), whose checksum is right.
package struct FLACFrame: Equatable, Sendable {
  /// Whether ``number`` counts samples, as blocks differ in size; else it counts frames. In files of
  /// encoders from before that was said in the header it may count samples all the same.
  package let isVariable: Bool
  /// Samples of each channel.
  package let blockSize: Int
  /// The number of the frame, or of its first sample.
  package let number: Int
  /// Samples of a channel in a second; `nil` where the file's header alone says that.
  package let sampleRate: Int?
  /// How its channels are coded, and the bits of a sample, as the header has them.
  private let channelCode: UInt8
  private let bitsCode: UInt8

  /// No header is longer: the number has up to 7 bytes, block size and sampling rate 2 each.
  package static let longestHeader = 16

  /// The header that bytes begin with; `nil` where they begin with none.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 6, bytes[0] == 0xff, bytes[1] & 0xfe == 0xf8, bytes[2] >> 4 != 0,
      bytes[2] & 15 != 15, bytes[3] >> 4 < 11, bytes[3] & 1 == 0
    else { return nil }
    isVariable = bytes[1] & 1 == 1
    let extra = (~bytes[4]).leadingZeroBitCount
    guard extra != 1, extra <= 7, 4 + max(1, extra) <= bytes.count else { return nil }
    var end = 4 + max(1, extra)
    var number = Int(bytes[4]) & (extra == 0 ? 0x7f : 0x7f >> extra)
    for index in 5..<max(5, end) { number = number << 6 | Int(bytes[index] & 0x3f) }
    self.number = number
    let (size, sizeLength) = (bytes[2] >> 4, [6: 1, 7: 2][bytes[2] >> 4, default: 0])
    let offset = end
    let rateOffset = offset + sizeLength
    end += sizeLength + [12: 1, 13: 2, 14: 2][bytes[2] & 15, default: 0]
    guard end < bytes.count, Self.checksum(bytes, end) == bytes[end] else { return nil }
    (channelCode, bitsCode) = (bytes[3] >> 4, bytes[3] >> 1 & 7)
    sampleRate = Self.rate(bytes[2] & 15, bytes, rateOffset)
    blockSize =
      switch size {
      case 1: 192
      case 2...5: 144 << Int(size)
      case 6: Int(bytes[offset]) + 1
      case 7: Int(bytes[offset]) << 8 + Int(bytes[offset + 1]) + 1
      default: 1 << Int(size)
      }
  }

  /// The rate that a code stands for, or that follows at an offset (RFC 9639, 9.1.2).
  private static func rate(_ code: UInt8, _ bytes: Span<UInt8>, _ offset: Int) -> Int? {
    let usual = [
      88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]
    switch code {
    case 1...11: return usual[Int(code) - 1]
    case 12: return Int(bytes[offset]) * 1_000
    case 13: return Int(bytes[offset]) << 8 + Int(bytes[offset + 1])
    case 14: return (Int(bytes[offset]) << 8 + Int(bytes[offset + 1])) * 10
    default: return nil
    }
  }

  /// The checksum of the first bytes (RFC 9639, 9.1.8).
  private static func checksum(_ bytes: Span<UInt8>, _ count: Int) -> UInt8 {
    var sum: UInt8 = 0
    for index in 0..<count {
      sum ^= bytes[index]
      for _ in 0..<8 { sum = sum << 1 ^ (sum & 0x80 == 0 ? 0 : 7) }
    }
    return sum
  }
}

extension FLACFrame {
  /// Whether another frame is of the same format, as far as headers say: two channels may be coded as
  /// one and a difference.
  package func hasFormat(of other: FLACFrame) -> Bool {
    let counts = [channelCode, other.channelCode].map { $0 < 8 ? $0 : 1 }
    return counts[0] == counts[1] && Self.mayBeEqual(bitsCode, other.bitsCode)
      && (sampleRate ?? other.sampleRate) == (other.sampleRate ?? sampleRate)
  }

  /// Whether codes for bits say the same; 0 leaves it to the file's header.
  private static func mayBeEqual(_ first: UInt8, _ second: UInt8) -> Bool {
    first == 0 || second == 0 || first == second
  }

  /// The offset of a second frame in bytes that begin with one; `nil` where they hold no more than
  /// that. A parser that expects one format takes all frames of another for the end of the last that
  /// it knows.
  package static func secondFrame(in bytes: Span<UInt8>) -> Int? {
    var (place, checksum) = (6, FLACChecksum())
    while place + 6 <= bytes.count {
      if bytes[place] == 0xff, bytes[place + 1] & 0xfe == 0xf8,
        FLACFrame(bytes.extracting(place..<min(bytes.count, place + longestHeader))) != nil,
        checksum.isIntact(bytes, upTo: place)
      {
        return place
      }
      place += 1
    }
    return nil
  }

  /// Whether a packet has a frame that can be decoded: it is one, or begins with one, before others,
  /// a tag, or zeros. A packet that isn't a frame at all counts as well.
  package static func isDecodable(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 2, bytes[0] == 0xff, bytes[1] & 0xfe == 0xf8, !isIntact(bytes) else {
      return true
    }
    return secondFrame(in: bytes) != nil || isFrameBeforeTag(bytes)
  }

  /// Whether bytes are a frame, and what programs write after the last one.
  private static func isFrameBeforeTag(_ bytes: Span<UInt8>) -> Bool {
    let tags = ["TAG", "ID3", "APE", "LYR", "fLa"].map { Array($0.utf8) } + [[0, 0, 0]]
    var checksum = FLACChecksum()
    for place in 8..<max(8, bytes.count - 3) {
      let isTag = tags.contains {
        $0[0] == bytes[place] && $0[1] == bytes[place + 1] && $0[2] == bytes[place + 2]
      }
      if isTag, checksum.isIntact(bytes, upTo: place) { return true }
    }
    return false
  }

  /// Whether bytes end with the checksum of those before it.
  package static func isIntact(_ bytes: Span<UInt8>) -> Bool {
    var checksum = FLACChecksum()
    return checksum.isIntact(bytes, upTo: bytes.count)
  }
}
