import TestTools
import Testing

@testable import GraphKit

private func time(_ value: Int64, _ timescale: Int32) -> MediaTime {
  MediaTime(value: value, timescale: timescale)
}

@Suite(.inTurn) struct MediaTimeArithmeticTests {
  @Test(arguments: [
    (time(1, 2), time(1, 3), "5/6"), (time(1, 48_000), time(1, 44_100), "307/7056000"),
    (time(1, 600), time(1, 600), "2/600"), (time(-1, 4), time(1, 4), "0/4"),
    // 2^31 − 1 and 2^31 − 2 share no factor, so no timescale holds the sum.
    (time(1, .max), time(1, .max - 1), "~2/2147483647"),
    // The common timescale overflows the value, a smaller one holds the sum exactly.
    (time(.max - 1, 2), time(1, 1), "4611686018427387904/1"),
    (time(.max, 2), time(.max, 2), "9223372036854775807/1"),
    (time(.max, 4), time(.max - 1, 4), "~9223372036854775807/2"),
    (time(.max, 1), time(1, 1), "+infinity"), (time(.min, 1), time(-1, 1), "-infinity"),
  ])
  func adds(a: MediaTime, b: MediaTime, sum: String) {
    #expect((a + b).debugDescription == sum)
    #expect((b + a).debugDescription == sum)
  }

  @Test(arguments: [
    (MediaTime.zero, MediaTime.invalid, MediaTime.invalid),
    (.positiveInfinity, .invalid, .invalid), (.indefinite, .invalid, .invalid),
    (.positiveInfinity, .negativeInfinity, .invalid),
    (.positiveInfinity, .positiveInfinity, .positiveInfinity),
    (.negativeInfinity, .indefinite, .negativeInfinity),
    (.positiveInfinity, .zero, .positiveInfinity), (.indefinite, .zero, .indefinite),
    (.indefinite, .indefinite, .indefinite),
  ])
  func addsTimesThatAreNoNumbers(a: MediaTime, b: MediaTime, sum: MediaTime) {
    #expect(a + b == sum)
    #expect(b + a == sum)
  }

  @Test func subtracts() {
    #expect((time(1, 2) - time(1, 3)).debugDescription == "1/6")
    #expect((time(3, 600) - time(1, 600)).debugDescription == "2/600")
    #expect((time(0, 1) - time(.min, 1)) == .positiveInfinity)
    #expect((time(-1, 1) - time(.min, 1)).debugDescription == "9223372036854775807/1")
    #expect(MediaTime.zero - .positiveInfinity == .negativeInfinity)
    #expect(MediaTime.positiveInfinity - .positiveInfinity == .invalid)
    var sum = time(1, 2)
    sum += time(1, 2)
    sum -= time(1, 4)
    #expect(sum == time(3, 4))
  }

  @Test func multiplies() {
    #expect((time(1001, 30_000) * 30).debugDescription == "30030/30000")
    #expect((time(.max, 3) * 3).debugDescription == "9223372036854775807/1")
    #expect((time(.max, 3) * 2).debugDescription == "~6148914691236517205/1")
    #expect(time(.max, 2) * -3 == .negativeInfinity)
    #expect(MediaTime.negativeInfinity * -2 == .positiveInfinity)
    #expect(MediaTime.positiveInfinity * 0 == .invalid)
    #expect(MediaTime.indefinite * 0 == .indefinite)
    #expect(MediaTime.invalid * 2 == .invalid)
  }

  @Test func multipliesByRatios() {
    #expect(time(3, 600).multiplied(by: 2, over: 3).debugDescription == "2/600")
    #expect(time(1, 600).multiplied(by: 1, over: 7).debugDescription == "1/4200")
    #expect(time(1, 600).multiplied(by: 1, over: -7).debugDescription == "-1/4200")
    #expect(time(1, 1).multiplied(by: 1, over: .max).debugDescription == "~0/2147483647")
    #expect(time(.max, 1).multiplied(by: 3, over: 2) == .positiveInfinity)
    #expect(time(.min, 1).multiplied(by: .min, over: .min).debugDescription == "\(Int64.min)/1")
    #expect(time(1, 1).multiplied(by: 1, over: 0) == .invalid)
    #expect(MediaTime.positiveInfinity.multiplied(by: -1, over: 2) == .negativeInfinity)
  }

  @Test func takesTheMagnitude() {
    #expect(time(-3, 2).magnitude.debugDescription == "3/2")
    #expect(time(3, 2).magnitude.debugDescription == "3/2")
    #expect(time(.min, 2).magnitude.debugDescription == "4611686018427387904/1")
    #expect(time(.min, 1).magnitude == .positiveInfinity)
    #expect(MediaTime.negativeInfinity.magnitude == .positiveInfinity)
    #expect(MediaTime.invalid.magnitude == .invalid)
  }

  @Test func passesRoundingOn() {
    let rounded = time(1, 3).converted(to: 10)
    #expect((rounded + time(1, 10)).hasBeenRounded)
    #expect((time(1, 7) - rounded).hasBeenRounded)
    #expect((rounded * 2).hasBeenRounded && (-rounded).hasBeenRounded)
    #expect(rounded.multiplied(by: 1, over: 3).hasBeenRounded)
  }
}
