import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct MediaTimeTests {
  @Test func isSmallEnoughToTravelWithEverySample() {
    #expect(MemoryLayout<MediaTime>.stride == 16)
    #expect(MemoryLayout<MediaTime?>.stride == 16)
  }

  @Test(arguments: [0, -1, Int32.min])
  func isInvalidWithoutAPositiveTimescale(timescale: Int32) {
    let time = MediaTime(value: 5, timescale: timescale)
    #expect(!time.isValid && !time.isNumeric)
    #expect(time == .invalid)
    #expect(time.value == 0 && time.timescale == 0)
  }

  @Test func knowsWhatItIs() {
    #expect(MediaTime.zero.isNumeric && MediaTime.zero.isValid)
    #expect(MediaTime.indefinite.isIndefinite && MediaTime.indefinite.isValid)
    #expect(MediaTime.positiveInfinity.isInfinite && MediaTime.negativeInfinity.isInfinite)
    #expect(!MediaTime.indefinite.isNumeric && !MediaTime.positiveInfinity.isNumeric)
    #expect(!MediaTime.zero.hasBeenRounded)
  }

  @Test(arguments: [
    (MediaTime(value: 3, timescale: 2), "1.500 s", "3/2"),
    (MediaTime(value: -1, timescale: 4), "-0.250 s", "-1/4"),
    (MediaTime(value: 1, timescale: 90_000), "0.000 s", "1/90000"),
    (MediaTime(value: -1, timescale: 90_000), "0.000 s", "-1/90000"),
    (MediaTime(value: 1999, timescale: 2000), "1.000 s", "1999/2000"),
    (MediaTime(value: .max, timescale: 1), "9223372036854775807.000 s", "9223372036854775807/1"),
    (MediaTime(value: 1, timescale: 3).converted(to: 10), "0.300 s", "~3/10"),
    (.invalid, "invalid", "invalid"), (.indefinite, "indefinite", "indefinite"),
    (.positiveInfinity, "+infinity", "+infinity"), (.negativeInfinity, "-infinity", "-infinity"),
  ])
  func printsAsAPersonSaysIt(time: MediaTime, spoken: String, exact: String) {
    #expect(time.description == spoken)
    #expect(time.debugDescription == exact)
  }
}
