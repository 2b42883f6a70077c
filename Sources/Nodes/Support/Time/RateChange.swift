import Glibc

/// Plays audio faster or slower, and its pitch with it: interpolation by a windowed sinc, as long as
/// keeps out what would fold back.
///
/// A frame `n` that leaves is the input at `n × speed`, so `count` frames become `count / speed`,
/// rounded.
struct RateChange: Sendable {
  private let speed: Double
  private let channels: Int
  /// Zeros of the sinc to each side.
  private static let zeros = 24
  /// Values of the table between two zeros.
  private static let steps = 256
  private static let table: [Float] = (0...zeros * steps).map { index in
    let x = Double(index) / Double(steps)
    let sinc = x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    // Blackman's window.
    let phase = .pi * x / Double(zeros)
    return Float(sinc * (0.42 + 0.5 * cos(phase) + 0.08 * cos(2 * phase)))
  }
  /// The cutoff, as a part of half the sample rate.
  private let cutoff: Double
  private let reach: Int
  private var input: [Float] = []
  private var inputStart = 0
  private var inputCount = 0
  private var written = 0

  /// A change of the speed of interleaved audio.
  init(speed: Double, channels: Int) {
    (self.speed, self.channels) = (speed, channels)
    cutoff = min(1, 1 / speed)
    reach = Int((Double(Self.zeros) / cutoff).rounded(.up))
  }

  /// Takes interleaved samples; returns what is decided by them.
  mutating func add(_ values: [Float]) -> [Float] {
    input += values
    inputCount += values.count / channels
    var output: [Float] = []
    while Int(place) + reach < inputCount { addFrame(to: &output) }
    forget()
    return output
  }

  /// Returns what is left.
  mutating func finish() -> [Float] {
    let count = Int((Double(inputCount) / speed).rounded())
    var output: [Float] = []
    while written < count { addFrame(to: &output) }
    return output
  }

  private var place: Double { Double(written) * speed }

  private mutating func addFrame(to output: inout [Float]) {
    let place = place
    let first = max(inputStart, Int(place) - reach)
    let last = min(inputCount - 1, Int(place) + reach)
    var sums = [Float](repeating: 0, count: channels)
    for frame in Swift.stride(from: first, through: last, by: 1) {
      let weight = Self.weight((Double(frame) - place).magnitude * cutoff) * Float(cutoff)
      let start = (frame - inputStart) * channels
      for channel in 0..<channels { sums[channel] += weight * input[start + channel] }
    }
    output += sums
    written += 1
  }

  private static func weight(_ x: Double) -> Float {
    let at = x * Double(steps)
    let index = Int(at)
    guard index < zeros * steps else { return 0 }
    let part = Float(at - Double(index))
    return table[index] * (1 - part) + table[index + 1] * part
  }

  private mutating func forget() {
    let count = min(Int(place) - reach - inputStart, input.count / channels)
    guard count > 0 else { return }
    input.removeFirst(count * channels)
    inputStart += count
  }
}
