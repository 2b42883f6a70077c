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
}
