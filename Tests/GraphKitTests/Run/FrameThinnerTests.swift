import TestTools
import Testing

@testable import GraphKit

@Suite("Leaving out frames", .inTurn) struct FrameThinnerTests {
  private func kept(_ thinner: FrameThinner, _ times: [UInt64?]) -> [Bool] {
    times.map(thinner.keeps)
  }

  @Test func keepsAllUntilItIsAsked() {
    let thinner = FrameThinner()
    #expect(kept(thinner, [0, 1, 2]) == [true, true, true])
    thinner.keepOne(in: 0)
    #expect(kept(thinner, [3, nil]) == [false, false])
    thinner.keepOne(in: 1)
    #expect(kept(thinner, [4, 5]) == [true, true])
  }

  @Test(arguments: [2, 3, 8])
  func keepsOneInSoMany(share: Int) {
    let thinner = FrameThinner()
    thinner.keepOne(in: share)
    let answers = kept(thinner, (0..<UInt64(4 * share)).map { $0 })
    #expect(answers == (0..<4 * share).map { ($0 + 1) % share == 0 })
    // Frames without times are counted, too.
    #expect(kept(thinner, Array(repeating: nil, count: 2 * share)).count { $0 } == 2)
  }

  /// Each frame goes to several wires, or to none.
  @Test func answersTheSameForAllWiresOfAnOutput() {
    let thinner = FrameThinner()
    thinner.keepOne(in: 2)
    let answers = kept(thinner, [0, 0, 0, 1, 1, 1, 2, 2, 2])
    #expect(answers == [false, false, false, true, true, true, false, false, false])
  }
}
