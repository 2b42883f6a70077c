import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct MediaTimeLawsTests {
  @Test func additionIsAssociativeWhereNothingIsRounded() {
    var random = MediaRandom(seed: 3)
    var exact = 0
    for _ in 0..<5000 {
      let (a, b, c) = (random.time(bits: 50), random.time(bits: 50), random.time(bits: 50))
      let (left, right) = ((a + b) + c, a + (b + c))
      guard !left.hasBeenRounded, !right.hasBeenRounded else { continue }
      #expect(left == right)
      exact += 1
    }
    #expect(exact > 300)
  }

  @Test func aSumIsExactOrTheNearestTimeAndSaysWhich() {
    var random = MediaRandom(seed: 4)
    for _ in 0..<5000 {
      let (a, b) = (random.time(bits: 50), random.time(bits: 50))
      let sum = a + b
      // Cross-multiplied: the sum over a's and b's timescales, 2^62, against the result.
      let over = Int128(a.timescale) * Int128(b.timescale)
      let wanted = Int128(a.value) * Int128(b.timescale) + Int128(b.value) * Int128(a.timescale)
      let error = (Int128(sum.value) * over - wanted * Int128(sum.timescale)).magnitude
      #expect(sum.isNumeric)
      #expect(sum.hasBeenRounded == (error != 0))
      #expect(error * 2 <= over.magnitude)
    }
  }

  @Test func subtractionUndoesAddition() {
    var random = MediaRandom(seed: 5)
    for _ in 0..<5000 {
      let (a, b) = (random.time(bits: 60), random.time(bits: 60))
      let sum = a + b
      guard sum.isNumeric, !sum.hasBeenRounded, !(sum - b).hasBeenRounded else { continue }
      #expect(sum - b == a)
      #expect(a - b == -(b - a))
    }
  }

  @Test func aRatioOfOneChangesNothingAtFullWidth() {
    var random = MediaRandom(seed: 6)
    for _ in 0..<5000 {
      let time = random.time(bits: 64)
      let factor = Int(random.next() >> 1) | 1
      let same = time.multiplied(by: factor, over: factor)
      #expect(same == time && same.timescale == time.timescale && !same.hasBeenRounded)
      #expect(time.multiplied(by: -factor, over: -factor) == time)
    }
  }

  @Test(arguments: RoundingMethod.allCases)
  func conversionAgreesWithExactArithmetic(rounding: RoundingMethod) {
    var random = MediaRandom(seed: 7)
    for _ in 0..<3000 {
      let time = random.time(bits: Int.random(in: 2...64, using: &random))
      let timescale = random.timescale()
      let product = Int128(time.value) * Int128(timescale)
      let wanted = rounded(
        product, over: Int128(time.timescale), rounding, timescale > time.timescale)
      let converted = time.converted(to: timescale, rounding: rounding)
      guard let value = Int64(exactly: wanted) else {
        #expect(converted == (wanted < 0 ? .negativeInfinity : .positiveInfinity))
        continue
      }
      #expect(converted.value == value && converted.timescale == timescale)
      #expect(converted.hasBeenRounded == (wanted * Int128(time.timescale) != product))
    }
  }

  private func rounded(
    _ n: Int128, over d: Int128, _ rounding: RoundingMethod, _ refines: Bool
  ) -> Int128 {
    let floor = n >= 0 ? n / d : -((-n + d - 1) / d)
    let ceiling = floor * d == n ? floor : floor + 1
    let (toward, away) = n >= 0 ? (floor, ceiling) : (ceiling, floor)
    return switch rounding {
    case .halfAwayFromZero: (n - toward * d).magnitude * 2 >= d.magnitude ? away : toward
    case .towardZero: toward
    case .awayFromZero: away
    case .quickTime: refines || (n < 0 && toward == 0) ? away : toward
    case .towardPositiveInfinity: ceiling
    case .towardNegativeInfinity: floor
    }
  }
}
