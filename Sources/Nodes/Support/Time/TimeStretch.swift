import Glibc

/// Makes audio shorter or longer, and keeps its pitch: waveform similarity overlap-add (WSOLA;
/// Verhelst and Roelands, 1993).
///
/// Windows of the input, half of which overlap, are laid at equal distances in the output. Each is
/// taken from where it goes on best after the one before, near to where the speed has it. A frame `n`
/// that leaves is from near `n × speed`, so `count` frames become `count / speed`, rounded.
struct TimeStretch: Sendable {
  private let speed: Double
  private let channels: Int
  /// From one window to the next in the output, which is half of a window; in frames.
  private let hop: Int
  /// How far from its place a window is looked for.
  private let reach: Int
  private let window: [Float]
  /// Input that is still needed, from a frame on, and the sum of its channels.
  private var input: [Float] = []
  private var mono: [Float] = []
  private var inputStart = 0
  private var inputCount = 0
  /// The second half of the last window, which the first of the next is added to.
  private var tail: [Float]
  /// The middle of the last window in the input.
  private var middle = 0
  private var windows = 0
  private var written = 0

  /// A stretch of interleaved audio.
  init(speed: Double, sampleRate: Int, channels: Int) {
    (self.speed, self.channels) = (speed, channels)
    hop = max(8, sampleRate / 50)
    reach = max(4, sampleRate / 80)
    let length = Float(2 * hop)
    window = (0..<2 * hop).map { 0.5 - 0.5 * cosf(2 * .pi * (Float($0) + 0.5) / length) }
    tail = Array(repeating: 0, count: hop * channels)
  }

  /// Takes interleaved samples; returns what is decided by them.
  mutating func add(_ values: [Float]) -> [Float] {
    input += values
    var frame = 0
    while frame < values.count {
      mono.append(values[frame..<min(frame + channels, values.count)].reduce(0, +))
      frame += channels
    }
    inputCount += values.count / channels
    var output: [Float] = []
    while place(windows) + reach + hop <= inputCount { addWindow(to: &output) }
    return output
  }

  /// Returns what is left.
  mutating func finish() -> [Float] {
    let count = Int((Double(inputCount) / speed).rounded())
    var output: [Float] = []
    while written < count { addWindow(to: &output) }
    output.removeLast(min(output.count, (written - count) * channels))
    written = count
    return output
  }

  /// Where the middle of a window is in the input by the speed alone.
  private func place(_ window: Int) -> Int { Int((Double(window * hop) * speed).rounded()) }

  private mutating func addWindow(to output: inout [Float]) {
    let place = place(windows)
    let isNext = windows > 0
    // What would go on just as it does in the input.
    middle = isNext ? bestMiddle(near: place, following: middle + hop) : place
    for frame in 0..<hop {
      let source = middle - hop + frame - inputStart
      for channel in 0..<channels where isNext {
        let value = tail[frame * channels + channel]
        output.append(value + window[frame] * sample(source, channel))
      }
      let second = middle + frame - inputStart
      for channel in 0..<channels {
        tail[frame * channels + channel] = window[hop + frame] * sample(second, channel)
      }
    }
    if isNext { written += hop }
    windows += 1
    forget(before: min(self.place(windows) - reach, middle) - hop)
  }

  private func sample(_ frame: Int, _ channel: Int) -> Float {
    let index = frame * channels + channel
    return frame >= 0 && index < input.count ? input[index] : 0
  }

  private mutating func forget(before frame: Int) {
    let count = min(frame - inputStart, mono.count)
    // A few at a time would move the rest each time.
    guard count > 8 * hop || count == mono.count && count > 0 else { return }
    input.removeFirst(min(count * channels, input.count))
    mono.removeFirst(count)
    inputStart += count
  }

  /// Where a window's first half is most like what follows the last window, near to its place.
  private func bestMiddle(near place: Int, following: Int) -> Int {
    guard place != following else { return place }
    var best = place
    var highest = -Float.infinity
    func look(at candidate: Int, step: Int) {
      let likeness = likeness(candidate, following, step)
      if likeness > highest { (best, highest) = (candidate, likeness) }
    }
    for offset in Swift.stride(from: -reach, through: reach, by: 4) {
      look(at: place + offset, step: 4)
    }
    let coarse = best
    highest = -Float.infinity
    for candidate in coarse - 3...coarse + 3 { look(at: candidate, step: 1) }
    return best
  }

  /// The correlation of the halves of two windows before their middles, by the loudness of the one.
  private func likeness(_ one: Int, _ other: Int, _ step: Int) -> Float {
    let (first, second) = (one - hop - inputStart, other - hop - inputStart)
    let start = max(0, -min(first, second))
    let end = min(hop, mono.count - max(first, second))
    guard start < end else { return -1 }
    var (product, energy): (Float, Float) = (0, 1e-9)
    for index in Swift.stride(from: start, to: end, by: step) {
      let value = mono[first + index]
      product += value * mono[second + index]
      energy += value * value
    }
    return product / energy.squareRoot()
  }
}
