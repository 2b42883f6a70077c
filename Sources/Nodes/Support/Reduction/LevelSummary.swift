import GraphKit
import Glibc

/// The peaks and mean squares of audio, interval by interval.
public struct LevelSummary: Reducer {
  private let format: AudioFormat
  /// Frames of an interval; `nil` for all.
  private let length: Int?
  private var start = 0
  private var frameCount = 0
  private var peaks: [Double]
  private var squares: [Double]
  private var completed: [[String: JSONValue]] = []

  /// The levels of audio of a format, in intervals of so many seconds; 0 for one of all.
  init(of format: AudioFormat, interval: Double) {
    self.format = format
    length = interval > 0 ? max(1, Int((interval * Double(format.sampleRate)).rounded())) : nil
    peaks = Array(repeating: 0, count: format.channels)
    squares = peaks
  }

  public mutating func add(_ block: borrowing PCMBlock) throws(NodeError) {
    switch block.format.sampleFormat {
    case .s16: add(block.samples(as: Int16.self)) { Double($0) / 32_768 }
    case .s32: add(block.samples(as: Int32.self)) { Double($0) / 2_147_483_648 }
    case .f32: add(block.samples(as: Float.self)) { $0.isFinite ? Double($0) : 0 }
    case .f64: add(block.samples(as: Double.self)) { $0.isFinite ? $0 : 0 }
    case .u8, .s24:
      throw NodeError(
        "\(block.format) can't be measured", remedy: "convert it to s16 or f32", key: "in")
    }
  }

  private mutating func add<Sample: BitwiseCopyable>(
    _ samples: Span<Sample>, _ level: (Sample) -> Double
  ) {
    let channels = format.channels
    for frame in 0..<(channels > 0 ? samples.count / channels : 0) {
      for channel in 0..<channels {
        let value = level(samples[frame * channels + channel])
        peaks[channel] = max(peaks[channel], abs(value))
        squares[channel] += value * value
      }
      frameCount += 1
      if frameCount == length { complete() }
    }
  }

  private mutating func complete() {
    if let last { completed.append(last) }
    start += frameCount
    frameCount = 0
    for channel in peaks.indices { (peaks[channel], squares[channel]) = (0, 0) }
  }

  /// The measurements of the intervals that have ended, each once.
  mutating func takeCompleted() -> [[String: JSONValue]] {
    defer { completed = [] }
    return completed
  }

  /// The measurement of the interval that hasn't; `nil` where nothing of it has come.
  var last: [String: JSONValue]? {
    guard frameCount > 0 else { return nil }
    let rate = Double(max(1, format.sampleRate))
    return [
      "time": .number(Double(start) / rate), "duration": .number(Double(frameCount) / rate),
      "peak": .array(peaks.map(Self.text)),
      "rms": .array(squares.map { Self.text(($0 / Double(frameCount)).squareRoot()) }),
    ]
  }

  /// A level in hundredths of a decibel; `null` for silence.
  private static func text(_ level: Double) -> JSONValue {
    level > 0 ? .number((decibels(factor: level) * 100).rounded() / 100) : .null
  }
}
