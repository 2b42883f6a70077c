import Glibc

/// A filter of second order: y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2].
///
/// The coefficients are those of Robert Bristow-Johnson's "Audio EQ Cookbook" (W3C note, 2021),
/// with the bandwidth given as Q.
struct Biquad: Sendable {
  let b0, b1, b2, a1, a2: Double

  init(_ band: EqualizerBand, sampleRate: Int) {
    let angle = 2 * .pi * band.frequency / Double(sampleRate)
    let (cosine, alpha) = (cos(angle), sin(angle) / (2 * band.q))
    let a = pow(10, band.gain / 40)
    let slope = 2 * a.squareRoot() * alpha
    let pass = [1 + alpha, -2 * cosine, 1 - alpha]
    switch band.shape {
    case .lowPass: self.init([(1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2], pass)
    case .highPass: self.init([(1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2], pass)
    case .notch: self.init([1, -2 * cosine, 1], pass)
    case .peak:
      self.init(
        [1 + alpha * a, -2 * cosine, 1 - alpha * a], [1 + alpha / a, -2 * cosine, 1 - alpha / a])
    case .lowShelf:
      let (sum, difference) = ((a + 1) - (a - 1) * cosine, (a + 1) + (a - 1) * cosine)
      self.init(
        [a * (sum + slope), 2 * a * ((a - 1) - (a + 1) * cosine), a * (sum - slope)],
        [difference + slope, -2 * ((a - 1) + (a + 1) * cosine), difference - slope])
    case .highShelf:
      let (sum, difference) = ((a + 1) + (a - 1) * cosine, (a + 1) - (a - 1) * cosine)
      self.init(
        [a * (sum + slope), -2 * a * ((a - 1) + (a + 1) * cosine), a * (sum - slope)],
        [difference + slope, 2 * ((a - 1) - (a + 1) * cosine), difference - slope])
    }
  }

  private init(_ b: [Double], _ a: [Double]) {
    (b0, b1, b2) = (b[0] / a[0], b[1] / a[0], b[2] / a[0])
    (a1, a2) = (a[1] / a[0], a[2] / a[0])
  }
}

/// Filters one after another, for each channel, with what they remember: transposed direct form II
/// in double precision.
struct BiquadCascade: Sendable {
  private let filters: [Biquad]
  private let channels: Int
  /// What each filter remembers of each channel, filter by filter.
  private var memories: [(Double, Double)]
  private var values: [Double] = []

  init(_ bands: [EqualizerBand], sampleRate: Int, channels: Int) {
    filters = bands.map { Biquad($0, sampleRate: sampleRate) }
    self.channels = channels
    memories = Array(repeating: (0, 0), count: filters.count * channels)
  }

  /// The same filters as if they had heard what others have; as many of them, or it is silence.
  func remembering(_ other: Self) -> Self {
    guard other.memories.count == memories.count else { return self }
    var result = self
    result.memories = other.memories
    return result
  }

  /// Filters the audio.
  mutating func filter(_ sound: inout PlanarAudio) {
    let count = sound.frameCount
    guard !filters.isEmpty else { return }
    for channel in 0..<min(channels, sound.channels) {
      let start = channel * count
      values.removeAll(keepingCapacity: true)
      for frame in 0..<count { values.append(Double(sound.levels[start + frame])) }
      for number in filters.indices { filter(number, channel) }
      for frame in 0..<count { sound.levels[start + frame] = Float(values[frame]) }
    }
  }

  private mutating func filter(_ number: Int, _ channel: Int) {
    let filter = filters[number]
    var (first, second) = memories[number * channels + channel]
    for index in values.indices {
      let x = values[index]
      let y = filter.b0 * x + first
      first = Self.audible(filter.b1 * x - filter.a1 * y + second)
      second = Self.audible(filter.b2 * x - filter.a2 * y)
      values[index] = y
    }
    memories[number * channels + channel] = (first, second)
  }

  /// Silence in place of what dies away below -600 dB: numbers so small take the processor a
  /// hundred times as long.
  private static func audible(_ value: Double) -> Double { abs(value) < 1e-30 ? 0 : value }
}
