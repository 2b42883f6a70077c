import GraphKit

/// Measures the levels of each channel, as meters show them: peak and RMS.
///
/// It sends a measurement for each interval, or one at the end for all: an object with `time`, when the
/// interval begins, and `duration`, both in seconds; and `peak` and `rms`, lists with a level in dBFS
/// for each channel, `null` where it is silent. A sine of full scale has a peak of 0 and an RMS of
/// -3.01.
public struct Level: ReducerNode {
  /// The length of an interval in seconds; 0 for all of the stream.
  public var interval = 0.0
  /// The levels of the interval that runs.
  public var summary: LevelSummary?

  /// A measurement of all of a stream.
  public init() {}

  public static let declaration = NodeDeclaration<Level>(
    "level", role: .reducer, help: "Measures the peak and the RMS of each channel.",
    phrase: "measured in level",
    example: "microphone -> level -> measurementSink",
    parameters: [
      .number(
        "interval", \.interval, in: 0...3_600, unit: "s",
        help: "How often a measurement is sent; 0 for one at the end, of all.")
    ])

  public static let ports = TransformPorts<Audio, Measurement>(
    .audio([.s16, .f32, .s32, .f64], layouts: [.interleaved]),
    FormatConstraint(MediaKind.measurement))

  public func makeSummary(
    of format: AudioFormat, from frame: Int
  ) throws(NodeError) -> LevelSummary {
    LevelSummary(of: format, interval: interval)
  }

  public mutating func sendCompleted(
    _ summary: inout LevelSummary, to outputs: NodeOutputs
  ) throws {
    for values in summary.takeCompleted() { try outputs.sendMeasurement(values) }
  }

  public func send(_ summary: consuming LevelSummary, to outputs: NodeOutputs) throws {
    for values in summary.takeCompleted() { try outputs.sendMeasurement(values) }
    if let values = summary.last { try outputs.sendMeasurement(values) }
  }
}
