import GraphKit

/// A node with parameters for the part of a waveform to make, and for the length of its points.
protocol PeaksPart: Node {
  /// How many samples a point stands for.
  var samplesPerPixel: Int? { get set }
  /// How many points a second has; rounded so that a point stands for a whole number of samples.
  var pixelsPerSecond: Double? { get set }
  /// How many points there are.
  var points: Int? { get set }
  /// Where the waveform starts, in seconds.
  var startAt: Double { get set }
  /// Where it ends, in seconds.
  var endAt: Double? { get set }
}

extension PeaksPart {
  /// The parameters that say how long points are, in the words of one node.
  static func sizes(
    samplesPerPixel: String, points: String, most: Int
  ) -> [Parameter<Self>] {
    [
      .integer(
        "samplesPerPixel", \.samplesPerPixel, in: 1...1_000_000_000, help: samplesPerPixel),
      .number(
        "pixelsPerSecond", \.pixelsPerSecond, in: 0.001...1_000_000, unit: "1/s",
        help: "Points a second; a point then stands for the next lower whole number of samples."),
      .integer("points", \.points, in: 1...most, help: points),
    ]
  }

  /// The parameters that say which part.
  static var range: [Parameter<Self>] {
    [
      .number(
        "startAt", \.startAt, in: 0...1_000_000_000, unit: "s", help: "Where the waveform starts."),
      .number("endAt", \.endAt, in: 0...1_000_000_000, unit: "s", help: "Where it ends."),
    ]
  }

  /// What is wrong with these parameters.
  var partProblem: NodeError? {
    let sizes = [samplesPerPixel != nil, pixelsPerSecond != nil, points != nil]
    if sizes.count(where: \.self) > 1 {
      return NodeError(
        "the length of a point is given more than once",
        remedy: "give one of `samplesPerPixel`, `pixelsPerSecond` and `points`", key: "points")
    }
    guard let endAt, endAt <= startAt else { return nil }
    return NodeError(
      "the waveform ends at \(endAt) s, where it starts or before",
      remedy: "give an `endAt` that is later than `startAt`", key: "endAt")
  }

  /// Warns where the audio, of so many seconds, is over before the waveform begins.
  func warnOfLateStart(after seconds: Double, on outputs: NodeOutputs) {
    guard startAt > 0, seconds <= startAt else { return }
    outputs.warn("the audio ends at \(seconds) s, before `startAt`: the waveform has no points")
  }
}
