import GraphKit

/// How far the points of a waveform reach, as parts of full scale: -1 to 1.
struct WaveformLevels: Sendable {
  private let peaks: Peaks
  private let factor: Double

  /// - Parameters:
  ///   - factor: what levels are multiplied by; `nil` makes the highest one fill the picture.
  ///   - window: the points that are shown.
  init(_ peaks: Peaks, factor: Double?, window: WaveformWindow) {
    self.peaks = peaks
    self.factor = factor ?? Self.filling(peaks, window.points)
  }

  /// The number of channels.
  var channels: Int { peaks.format.channels }

  /// The lowest and the highest level of some points, at least one.
  func extremes(of points: Range<Int>, channel: Int) -> (low: Double, high: Double) {
    let (low, high) = combined(points, channel)
    return (max(-1, low * factor / 32_768), min(1, high * factor / 32_767))
  }

  /// How far some points reach to either side.
  func magnitude(of points: Range<Int>, channel: Int) -> Double {
    let (low, high) = extremes(of: points, channel: channel)
    return max(-low, high, 0)
  }

  /// Several points become one as their reduction has it.
  private func combined(_ points: Range<Int>, _ channel: Int) -> (low: Double, high: Double) {
    switch peaks.format.reduction {
    case .minMax, .peak:
      var (low, high) = (Int16.max, Int16.min)
      for point in points {
        low = min(low, peaks.low(point, channel: channel))
        high = max(high, peaks.high(point, channel: channel))
      }
      return (Double(low), Double(high))
    case .rms:
      let squares = points.reduce(0.0) { sum, point in
        let value = Double(peaks.high(point, channel: channel))
        return sum + value * value
      }
      let root = (squares / Double(points.count)).squareRoot()
      return (-root, root)
    case .mean:
      let sum = points.reduce(0) { $0 + Int(peaks.high($1, channel: channel)) }
      let mean = Double(sum) / Double(points.count)
      return (-mean, mean)
    }
  }

  private static func filling(_ peaks: Peaks, _ points: Range<Int>) -> Double {
    var (low, high) = (0, 0)
    for point in points {
      for channel in 0..<peaks.format.channels {
        low = min(low, Int(peaks.low(point, channel: channel)))
        high = max(high, Int(peaks.high(point, channel: channel)))
      }
    }
    let room = (low: 32_768 / Double(-low), high: 32_767 / Double(high))
    return low == 0 && high == 0 ? 1 : min(room.low, room.high)
  }
}
