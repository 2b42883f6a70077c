import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct OpusPacketTests {
  @Test(
    "the first bytes say how long a packet is",
    arguments: [
      ([], 0), ([0x00], 480), ([0x08], 960), ([0x18], 2_880), ([0x60], 480), ([0x6b], 0),
      ([0x68], 960), ([0x80], 120), ([0x98], 960), ([0xf9], 1_920), ([0xfa, 9], 1_920),
      ([0xfb], 0), ([0xfb, 0xc3], 2_880), ([0x83, 48], 5_760),
    ] as [([UInt8], Int)])
  func length(bytes: [UInt8], frames: Int) {
    #expect(OpusPacket.frames(bytes.span) == frames)
  }
}
