import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct MediaTimeComparisonTests {
  @Test func ordersTimesThatAreNoNumbers() {
    let ordered: [MediaTime] = [
      .negativeInfinity, MediaTime(value: .min, timescale: 1), .zero,
      MediaTime(value: .max, timescale: 1), .indefinite, .positiveInfinity, .invalid,
    ]
    #expect(ordered.reversed().sorted() == ordered)
    for (index, time) in ordered.enumerated() {
      #expect(time == time)
      for later in ordered[(index + 1)...] {
        #expect(time < later && later > time && time != later)
      }
    }
    #expect(min(.indefinite, .zero) == .zero)
    #expect(max(.indefinite, .zero) == .indefinite)
  }

  @Test func comparesTheTimeAndNotItsSpelling() {
    let half = MediaTime(value: 1, timescale: 2)
    #expect(half == MediaTime(value: 300, timescale: 600))
    #expect(half == MediaTime(value: 600, timescale: 600).multiplied(by: 1, over: 2))
    #expect(MediaTime(value: 0, timescale: 3) == .zero)
    #expect(Set([half, MediaTime(value: 2, timescale: 4)]).count == 1)
    #expect(
      Set([MediaTime(value: .min, timescale: 2), MediaTime(value: .min / 2, timescale: 1)]).count
        == 1)
  }

  @Test func seesDifferencesThatFloatingPointDoesNot() {
    let a = MediaTime(value: .max, timescale: .max)
    let b = MediaTime(value: .max - 1, timescale: .max)
    let c = MediaTime(value: .max, timescale: .max - 1)
    #expect(b < a && a < c)
    #expect(a.seconds == b.seconds)
  }

  @Test func agreesWithExactArithmetic() {
    var random = MediaRandom(seed: 1)
    for _ in 0..<5000 {
      let bits = Int.random(in: 2...64, using: &random)
      let (a, b) = (random.time(bits: bits), random.time(bits: bits))
      let left = Int128(a.value) * Int128(b.timescale)
      let right = Int128(b.value) * Int128(a.timescale)
      #expect((a < b) == (left < right))
      #expect((a == b) == (left == right))
    }
  }

  @Test func hashesEqualTimesAlike() {
    var random = MediaRandom(seed: 2)
    for _ in 0..<2000 {
      let time = MediaTime(
        value: random.value(bits: 40), timescale: Int32.random(in: 1...90_000, using: &random))
      let factor = Int32.random(in: 1...20_000, using: &random)
      let same = MediaTime(
        value: time.value * Int64(factor), timescale: time.timescale * factor)
      #expect(time == same)
      #expect(time.hashValue == same.hashValue)
    }
  }
}
