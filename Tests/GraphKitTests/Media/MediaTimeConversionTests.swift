import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct MediaTimeConversionTests {
  @Test(arguments: [
    (RoundingMethod.halfAwayFromZero, [-3, -2, -1, 0, 1, 2, 3]),
    (.towardZero, [-2, -1, 0, 0, 0, 1, 2]), (.awayFromZero, [-3, -2, -1, 0, 1, 2, 3]),
    (.quickTime, [-2, -1, -1, 0, 0, 1, 2]), (.towardPositiveInfinity, [-2, -1, 0, 0, 1, 2, 3]),
    (.towardNegativeInfinity, [-3, -2, -1, 0, 0, 1, 2]),
  ])
  func roundsHalves(rounding: RoundingMethod, wanted: [Int64]) {
    let halves: [Int64] = [-5, -3, -1, 0, 1, 3, 5]
    let converted = halves.map {
      MediaTime(value: $0, timescale: 2).converted(to: 1, rounding: rounding).value
    }
    #expect(converted == wanted)
  }

  @Test func roundsUnderAndOverTheMiddle() {
    let thirds = [1, 2, -1, -2].map { MediaTime(value: $0, timescale: 3) }
    #expect(thirds.map { $0.converted(to: 1).value } == [0, 1, 0, -1])
    // A finer timescale is rounded away from zero by QuickTime's rule, a coarser one toward it.
    #expect(thirds.map { $0.converted(to: 10, rounding: .quickTime).value } == [4, 7, -4, -7])
  }

  @Test func keepsOrLosesWhatATimescaleCanHold() {
    let frame = MediaTime(value: 1001, timescale: 30_000)
    #expect(frame.converted(to: 90_000).debugDescription == "3003/90000")
    #expect(frame.converted(to: 1000).debugDescription == "~33/1000")
    #expect(MediaTime(value: .max, timescale: 1).converted(to: 2) == .positiveInfinity)
    #expect(MediaTime(value: .min, timescale: 1).converted(to: 2) == .negativeInfinity)
    #expect(frame.converted(to: 0) == .invalid)
    #expect(MediaTime.indefinite.converted(to: 600) == .indefinite)
    #expect(MediaTime.negativeInfinity.converted(to: 600) == .negativeInfinity)
  }

  @Test(
    arguments: [
      (1.5, 2, "3/2"), (1.5, 1, "~2/1"), (-1.5, 1, "~-2/1"), (0.1, 10, "1/10"), (0.1, 3, "~0/3"),
      (0, 600, "0/600"), (1e-300, 600, "~0/600"), (.leastNonzeroMagnitude, 1, "~0/1"),
      (0x1p62, 1000, "4611686018427387904/1"), (9.2e18, 1, "9200000000000000000/1"),
      (0x1p63, 1, "+infinity"), (-1e300, 600, "-infinity"), (.infinity, 600, "+infinity"),
      (-.infinity, 600, "-infinity"), (.nan, 600, "invalid"), (1, 0, "invalid"), (1, -1, "invalid"),
    ] as [(Double, Int32, String)])
  func takesSeconds(seconds: Double, timescale: Int32, wanted: String) {
    #expect(MediaTime(seconds: seconds, preferredTimescale: timescale).debugDescription == wanted)
  }

  @Test func givesSeconds() {
    #expect(MediaTime(value: 3, timescale: 2).seconds == 1.5)
    #expect(MediaTime.positiveInfinity.seconds == .infinity)
    #expect(MediaTime.negativeInfinity.seconds == -.infinity)
    #expect(MediaTime.invalid.seconds.isNaN && MediaTime.indefinite.seconds.isNaN)
  }

  @Test func takesNanoseconds() {
    #expect(MediaTime(nanoseconds: 1_500_000_000) == MediaTime(value: 3, timescale: 2))
    #expect(MediaTime(nanoseconds: UInt64(7)).debugDescription == "7/1000000000")
    #expect(MediaTime(nanoseconds: Int64.min).value == .min)
    #expect(MediaTime(nanoseconds: UInt64.max) == .invalid)
    #expect(MediaTime(nanoseconds: UInt.max) == .invalid)
  }

  @Test func givesNanoseconds() {
    let third = MediaTime(value: 1, timescale: 3)
    #expect(third.nanoseconds == 333_333_333)
    #expect(third.nanoseconds(rounding: .towardPositiveInfinity) == 333_333_334)
    #expect(MediaTime(value: -1, timescale: 48_000).nanoseconds == -20_833)
    #expect(MediaTime(value: 1 << 40, timescale: 1000).nanoseconds == 1_099_511_627_776_000_000)
    #expect(MediaTime(value: 1 << 40, timescale: 1).nanoseconds == nil)
    #expect(MediaTime.indefinite.nanoseconds == nil && MediaTime.invalid.nanoseconds == nil)
  }

  @Test func givesTheClockOnlyTimesThatItHas() {
    #expect(MediaTime(value: 2, timescale: 3).clock == 666_666_667)
    #expect(MediaTime(value: -1, timescale: 3).clock == nil)
    #expect(MediaTime.invalid.clock == nil && MediaTime.positiveInfinity.clock == nil)
    #expect(MediaTime(clock: nil) == .invalid)
  }

  @Test func countsFrames() {
    let block = MediaTime(frames: 1024, at: 48_000)
    #expect(block.debugDescription == "1024/48000")
    #expect(block.frames(at: 48_000) == 1024)
    #expect(block.frames(at: 44_100) == 941)
    #expect(block.frames(at: 44_100, rounding: .towardZero) == 940)
    #expect(block.frames(at: 0) == nil && block.frames(at: -1) == nil)
    #expect(block.frames(at: 1 << 40) == nil && MediaTime.invalid.frames(at: 48_000) == nil)
    #expect(
      MediaTime(frames: 1, at: 0) == .invalid && MediaTime(frames: 1, at: 1 << 40) == .invalid)
  }

  @Test func nanosecondsAndFramesRoundTrip() {
    var random = MediaRandom(seed: 8)
    for _ in 0..<3000 {
      let rate = [8000, 11_025, 44_100, 48_000, 192_000].randomElement(using: &random)!
      let frames = Int(random.value(bits: 44))
      let nanoseconds = MediaTime(frames: frames, at: rate).nanoseconds
      #expect(nanoseconds.flatMap { MediaTime(nanoseconds: $0).frames(at: rate) } == frames)
    }
  }
}
