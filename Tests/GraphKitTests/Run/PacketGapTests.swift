import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct PacketGapTests {
  private func gaps(_ times: [UInt64], lasting length: UInt64 = 0) -> [Range<UInt64>] {
    var gap = PacketGap(length: length)
    for time in times { gap.add(time) }
    return gap.finish()
  }

  @Test("packets in another order than they are presented in have no gap")
  func reordered() {
    #expect(gaps([0, 30, 10, 20, 60, 40, 50, 90, 70, 80]) == [])
    #expect(gaps([0, 30, 10, 20, 90, 70, 80]) == [30..<70])
  }

  @Test("what is missing at the end counts")
  func end() {
    #expect(gaps([0, 10, 20, 30], lasting: 40) == [])
    #expect(gaps([0, 10, 20, 30], lasting: 100) == [30..<100])
    #expect(gaps([], lasting: 100) == [] && gaps([7], lasting: 100) == [])
  }
}
