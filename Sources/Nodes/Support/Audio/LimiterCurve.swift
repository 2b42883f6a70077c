import Glibc

/// The gain of a ``Limiter``: the gain that each frame needs goes in, and that of the frame a
/// look-ahead before comes out.
struct LimiterCurve: Sendable {
  /// Frames that are looked ahead.
  let lookAhead: Int
  private let sampleRate: Int
  /// A gain of 1. Gains are whole numbers, so that sums are exact; that of the longest look-ahead
  /// has 57 bits.
  private static let one = 1 << 40
  /// How much of the way back to 1 is left after a frame.
  private var decay = 0.0
  /// Frames that have gone in.
  private var count = 0
  /// The gains of the window that may still be its least, in rising order, and their frames.
  private var candidates: [(frame: Int, gain: Int)] = []
  private var firstCandidate = 0
  private var released = Self.one
  /// The last released gains, a window long, written round and round, and their sum.
  private var window: [Int]
  private var sum: Int

  init(lookAhead: Int, sampleRate: Int, release: Double) {
    self.lookAhead = lookAhead
    self.sampleRate = sampleRate
    window = Array(repeating: Self.one, count: lookAhead + 1)
    sum = Self.one * (lookAhead + 1)
    setRelease(release)
    // Silence came before, and what was coming was heard in it.
    for _ in 0..<lookAhead { _ = next(1) }
  }

  mutating func setRelease(_ milliseconds: Double) {
    decay = exp(-1000 / (milliseconds * Double(sampleRate)))
  }

  /// Takes what a frame needs, from 0 to 1; `nil` until the first frame's gain is known.
  mutating func next(_ needed: Double) -> Float? {
    push(Int(needed * Double(Self.one)))
    count += 1
    guard count > lookAhead else { return nil }
    let back = released + Int(Double(Self.one - released) * (1 - decay)) + 1
    released = min(candidates[firstCandidate].gain, back, Self.one)
    let place = count % window.count
    sum += released - window[place]
    window[place] = released
    guard count > 2 * lookAhead else { return nil }
    return Float(Double(sum) / (Double(Self.one) * Double(window.count)))
  }

  private mutating func push(_ gain: Int) {
    while candidates.count > firstCandidate, candidates[candidates.count - 1].gain >= gain {
      candidates.removeLast()
    }
    candidates.append((count, gain))
    while candidates[firstCandidate].frame < count - lookAhead { firstCandidate += 1 }
    guard firstCandidate > window.count else { return }
    candidates.removeFirst(firstCandidate)
    firstCandidate = 0
  }
}
