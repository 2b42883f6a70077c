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
    // Nothing shows that two wires ask about the same frame where it has no time.
    #expect(kept(thinner, [nil, nil, nil]) == [true, true, true])
  }

  /// A share that changes between two wires changes nothing for the frame they ask about.
  @Test func aFrameIsAnsweredForOnce() {
    let thinner = FrameThinner()
    #expect(thinner.keeps(0))
    thinner.keepOne(in: 2)
    #expect(kept(thinner, [0, 1, 2]) == [true, false, true])
    thinner.keepOne(in: 0)
    #expect(kept(thinner, [2, 3]) == [true, false])
  }

  /// Each frame goes to several wires, or to none.
  @Test func answersTheSameForAllWiresOfAnOutput() {
    let thinner = FrameThinner()
    thinner.keepOne(in: 2)
    let answers = kept(thinner, [0, 0, 0, 1, 1, 1, 2, 2, 2])
    #expect(answers == [false, false, false, true, true, true, false, false, false])
  }
}
