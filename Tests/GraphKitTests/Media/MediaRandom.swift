@testable import GraphKit

/// A seeded source of numbers (SplitMix64), and of times made of them.
struct MediaRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func value(bits: Int) -> Int64 {
    Int64(truncatingIfNeeded: next()) >> Int64(64 - bits)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  mutating func timescale() -> Int32 {
    let usual: [Int32] = [1, 30, 600, 1001, 24_000, 44_100, 48_000, 90_000, 1_000_000_000]
    return Bool.random(using: &self)
      ? usual.randomElement(using: &self)! : Int32.random(in: 1...Int32.max, using: &self)
  }

  mutating func time(bits: Int) -> MediaTime {
    MediaTime(value: value(bits: bits), timescale: timescale())
  }
}
