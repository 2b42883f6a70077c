import GraphKit

/// A waveform's settings, with all that depends on the audio's format worked out.
struct WaveformSettings: Equatable, Sendable, Codable {
  /// The most cells that are kept where the number of points is given: the ends of a point are then
  /// at most a 2^17th of the audio's length away from where they would be exactly.
  static let mostCells = 1 << 18

  var reduction: PeakReduction
  var isMixed: Bool
  /// Frames of the finest cell.
  var cellSize: Int
  /// The number of points, where that is given.
  var points: Int?
  /// The frames of the stream that are reduced.
  var frames: Range<Int>
  /// The number of zoom levels, each with points twice as long as those of the one before.
  var levels: Int

  /// Whether what was read of a file is within what nodes may be set to.
  var isPossible: Bool {
    (1...1 << 60).contains(cellSize) && (1...1_000_000).contains(points ?? 1)
      && (0...1 << 62).contains(frames.lowerBound) && (0...1 << 62).contains(frames.upperBound)
      && (1...16).contains(levels)
  }

  /// How many of the finest points one of a level stands for.
  func factor(ofLevel level: Int) -> Int { 1 << level }
}

extension PeakReduction {
  /// Whether it is made of the lowest and the highest sample, and not of sums.
  var gathersExtremes: Bool { self == .minMax || self == .peak }
}

extension Range<Int> {
  /// The nearest place in the range, its end included.
  func clamped(_ place: Int) -> Int { Swift.min(Swift.max(place, lowerBound), upperBound) }
}
