import Glibc
import GraphKit

/// A fountain of particles, each of which is known from its number and the time alone.
///
/// Lengths are in heights of the frame, so that a run looks the same at every size. A particle flies
/// as a stone does: `start + velocity·t + gravity·t²/2`.
struct Emitter: Sendable, Hashable {
  /// One particle at one time.
  struct Particle: Sendable {
    /// The middle, in heights of the frame from the emitter's point, to the right and down.
    var center: SIMD2<Double>
    /// The radius, in heights of the frame.
    var radius: Double
    /// 0...1.
    var opacity: Double
    /// 0..<1, which chooses a colour.
    var hue: Double
  }

  var from = 0.0
  var until: Double?
  var rate = 60.0
  var life = 2.0
  var speed = 0.4
  /// Degrees from the right, against the clock.
  var direction = 90.0
  var spread = 360.0
  var gravity = 0.2
  var size = 0.02
  var seed = 1

  /// The most particles that there may be at once.
  static let largestCount = 20_000

  /// The particles at a time, in seconds, the oldest first.
  func particles(at time: Double) -> [Particle] {
    let end = min(time, until ?? time)
    guard rate > 0, end >= from else { return [] }
    // Particles are born at `from`, and after each 1/rate seconds.
    let last = ((end - from) * rate).rounded(.down)
    let first = max(0, ((time - from - life) * rate).rounded(.down))
    guard last >= first, last < 1e15 else { return [] }
    return (Int(first)...Int(last)).suffix(Self.largestCount).compactMap { particle($0, at: time) }
  }

  private func particle(_ number: Int, at time: Double) -> Particle? {
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(seed)), number: UInt64(number))
    let life = life * random.next(from: 0.6, to: 1)
    let angle = (direction + spread * random.next(from: -0.5, to: 0.5)) * .pi / 180
    let speed = speed * random.next(from: 0.4, to: 1)
    let radius = size / 2 * random.next(from: 0.5, to: 1)
    let hue = random.next(from: 0, to: 1)
    let age = time - from - Double(number) / rate
    guard age >= 0, age < life else { return nil }
    let center = SIMD2(
      speed * cos(angle) * age, -speed * sin(angle) * age + gravity * age * age / 2)
    // It lights up within a tenth of its life, and goes out over the second half.
    let part = age / life
    let opacity = min(1, part * 10, (1 - part) * 2)
    return Particle(
      center: center, radius: radius * (1 - part * 0.4), opacity: opacity, hue: hue)
  }
}

/// Random numbers that follow from a seed and a number (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64, number: UInt64) {
    state = seed
    state = next() ^ number &* 0xD1B5_4A32_D192_ED03
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number in a range, its upper end left out.
  mutating func next(from low: Double, to high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }
}
