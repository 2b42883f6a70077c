import Containers
import TestTools
import Testing

@Suite(.inTurn) struct FLACFrameTests {
  /// The checksum as RFC 9639, 9.3, has it: bit by bit.
  private func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum << 1 ^ (sum & 0x8000 == 0 ? 0 : 0x8005) }
    }
    return [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
  }

  @Test("a frame is as it was written where its checksum is right")
  func isIntact() {
    var random = MediaRandom(seed: 9)
    for count in 0..<40 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      var frame = bytes + checksum(bytes)
      let isIntact = FLACFrame.isIntact(frame.span)
      #expect(isIntact, "\(count)")
      let place = Int.random(in: frame.indices, using: &random)
      frame[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      let isStill = FLACFrame.isIntact(frame.span)
      #expect(!isStill, "\(count), \(place)")
    }
  }

  /// The header of frame 0 of 44,100 samples a second, with its checksum.
  private var header: [UInt8] {
    let bytes: [UInt8] = [0xff, 0xf8, 0xc9, 0x18, 0x00]
    var sum: UInt8 = 0
    for byte in bytes {
      sum ^= byte
      for _ in 0..<8 { sum = sum << 1 ^ (sum & 0x80 == 0 ? 0 : 7) }
    }
    return bytes + [sum]
  }

  @Test(
    "a second frame is where the first one's checksum is right, and not where a header seems to be")
  func secondFrame() {
    let first = header + [1, 2, 3, 4, 5] + header + [6] + header + [7, 8, 9, 10, 11, 12, 13, 14]
    let whole = first + checksum(first)
    let next = header + [1, 2]
    let none = FLACFrame.secondFrame(in: (whole + [1, 2] + next).span)
    #expect(none == nil)
    let place = FLACFrame.secondFrame(in: (whole + next).span)
    #expect(place == whole.count)
    let isDecodable = FLACFrame.isDecodable((whole + Array("TAG".utf8) + [0, 0]).span)
    #expect(isDecodable)
    let isDamaged = !FLACFrame.isDecodable((first + [0, 1] + Array("TAG".utf8) + [0, 0]).span)
    #expect(isDamaged)
  }
}
