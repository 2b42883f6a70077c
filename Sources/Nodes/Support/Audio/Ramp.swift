/// A factor that goes to a new value in a straight line, over 10 ms: a step would click.
///
/// It counts frames and not blocks, so that its values don't depend on where blocks are cut.
struct Ramp: Sendable {
  private var start: Double
  private var target: Double
  private var remaining = 0
  /// Frames that a change takes; 0 as long as the sampling rate isn't known.
  private var length = 0

  /// How long a change takes, in seconds.
  static let seconds = 0.01

  init(_ value: Double) {
    start = value
    target = value
  }

  /// Goes straight to the last value that was asked for, and from now on slowly.
  mutating func begin(sampleRate: Int) {
    length = max(1, Int(Double(sampleRate) * Self.seconds))
    remaining = 0
  }

  /// Goes to a value from the next frame on.
  mutating func go(to value: Double) {
    start = current
    target = value
    remaining = length
  }

  /// Whether the value stays what it is.
  var isStill: Bool { remaining == 0 }

  /// The present value.
  var current: Double {
    remaining == 0 ? target : target + (start - target) * Double(remaining) / Double(length)
  }

  /// The value of the next frame.
  mutating func next() -> Double {
    if remaining > 0 { remaining -= 1 }
    return current
  }

  /// The values of the next frames.
  mutating func next(_ count: Int, into values: inout [Float]) {
    values.removeAll(keepingCapacity: true)
    for _ in 0..<count { values.append(Float(next())) }
  }
}
