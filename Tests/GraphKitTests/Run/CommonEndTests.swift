import TestTools
import Testing

@testable import GraphKit

@Suite("Tracks that end together", .inTurn)
struct CommonEndTests {
  private var levels: Readiness
  private var end = CommonEnd([true, true])

  init() {
    let policy = QueuePolicy(
      time: MediaTime(value: 10, timescale: 1), bytes: 1 << 20, samples: 3,
      interleavingWindow: MediaTime(value: 5, timescale: 1), dropsWhenNotReady: false)
    levels = Readiness([policy, policy])
  }

  private static let second: Int64 = 1_000_000_000

  private mutating func append(_ index: Int, _ second: Int64) {
    levels.append(index, time: second * Self.second, duration: Self.second, bytes: 1)
  }

  /// A second of video in an order of its own.
  private mutating func frame(_ index: Int, decoded: Int64, presented: Int64) {
    end.note(
      index, presentation: presented * Self.second, decode: decoded * Self.second,
      duration: Self.second, levels)
    append(index, decoded)
  }

  private func verdict(_ index: Int, _ second: Int64) -> CommonEnd.Verdict {
    end.verdict(on: index, at: second * Self.second, levels)
  }

  @Test("a sample waits until the other track has come as far")
  mutating func waits() {
    append(0, 0)
    #expect(verdict(0, 0) == .wait)
    append(1, 0)
    #expect(verdict(0, 0) == .take)
    #expect(verdict(0, 1) == .wait)
  }

  @Test("nothing waits for a track that is full, or where its own is, or has ended")
  mutating func stuck() {
    append(0, 7)
    append(1, 0)
    #expect(verdict(0, 7) == .wait)
    for second in 1...2 { append(1, Int64(second)) }
    #expect(verdict(0, 7) == .take)
    levels.take(1, time: 0, duration: Self.second, bytes: 1)
    #expect(verdict(0, 7) == .wait)
    levels.finish(1)
    #expect(verdict(0, 7) == .take)
  }

  @Test("after the run was asked to end, the first track to end is the end of all")
  mutating func asked() {
    append(0, 0)
    append(1, 0)
    end.ask(levels)
    levels.finish(1)
    #expect(verdict(0, 0) == .take)
    #expect(verdict(0, 1) == .drop(end: Self.second))
  }

  @Test("a track that had ended by itself ends no other, nor does one that had no sample")
  mutating func before() {
    append(0, 0)
    append(1, 0)
    levels.finish(1)
    end.ask(levels)
    #expect(verdict(0, 4) == .take)
  }

  @Test("frames in another order count from the first one's presentation")
  mutating func delayed() {
    frame(0, decoded: 0, presented: 2)
    append(1, 0)
    append(1, 1)
    #expect(verdict(0, 0) == .wait)
    append(1, 2)
    #expect(verdict(0, 0) == .take)
    #expect(verdict(1, 2) == .take)
  }

  @Test("tracks end where no frame is missing that is presented before those that are kept")
  mutating func reordered() {
    // Presented at 1, 4, 2, 3, 5, each a second after its place in the order of decoding.
    frame(0, decoded: 0, presented: 1)
    frame(0, decoded: 1, presented: 4)
    frame(0, decoded: 2, presented: 2)
    for second in 1...3 { append(1, Int64(second)) }
    #expect(verdict(0, 0) == .take)
    #expect(verdict(1, 1) == .take)
    // What lacks the frame at 3 is handed on with it, and audio beside it not before.
    for _ in 0..<2 { levels.take(0, time: nil, duration: 0, bytes: 1) }
    for _ in 0..<2 { levels.take(1, time: nil, duration: 0, bytes: 1) }
    #expect(verdict(0, 1) == .wait && verdict(1, 2) == .wait)
    frame(0, decoded: 3, presented: 3)
    #expect(verdict(0, 1) == .wait && verdict(1, 2) == .wait)
    var whole = self
    whole.append(1, 4)
    #expect(whole.verdict(0, 1) == .take && whole.verdict(1, 2) == .take)
    end.ask(levels)
    levels.finish(1)
    let dropped = CommonEnd.Verdict.drop(end: 2 * Self.second)
    #expect(verdict(0, 1) == dropped && verdict(1, 2) == dropped)
    // What has been left out counts no more.
    end.settle(on: 2 * Self.second)
    levels.take(0, time: 3 * Self.second, duration: Self.second, bytes: 1)
    #expect(verdict(1, 2) == dropped && verdict(1, 1) == .take)
  }

  @Test("a track that ended by itself binds no other, though frames are missing before its end")
  mutating func endedReordered() {
    frame(0, decoded: 0, presented: 1)
    frame(0, decoded: 1, presented: 4)
    levels.finish(0)
    for second in 1...2 { append(1, Int64(second)) }
    #expect(verdict(0, 1) == .take)
    #expect(verdict(1, 2) == .take)
    for _ in 0..<2 { levels.take(0, time: nil, duration: 0, bytes: 1) }
    append(1, 9)
    #expect(verdict(1, 9) == .take)
    // What ends later because the run is asked to ends where it does.
    end.ask(levels)
    levels.finish(1)
    #expect(verdict(1, 9) == .take)
  }
}
