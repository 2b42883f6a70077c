import GraphKit

/// Finds the stretches of audio in which no channel is louder than a threshold.
///
/// At the end it sends one measurement: an object with `silences`, a list of `start`, `end` and
/// `duration` in seconds each, exact to the sample and counted from the first that came; `total`, how
/// long they are together; and `duration`, how long all of the audio is.
public struct Silence: AssociativeReducerNode {
  /// Samples at this level or above it aren't silent, in dBFS.
  public var threshold = -60.0
  /// The shortest silence that counts, in seconds.
  public var minimum = 2.0
  /// The silences of the stream that runs.
  public var summary: SilenceSummary?

  /// A search for two seconds of nearly nothing.
  public init() {}

  public static let declaration = NodeDeclaration<Silence>(
    "silence", role: .reducer, help: "Finds silent stretches of audio.",
    phrase: "searched for silence",
    example: "file.audio -> silence -> measurementSink",
    parameters: [
      .number(
        "threshold", \.threshold, in: -120...0, unit: "dBFS",
        help: "Samples at this level or above it, in any channel, aren't silent."),
      .number(
        "minimum", \.minimum, in: 0.001...86_400, unit: "s",
        help: "The shortest silence that counts."),
    ])

  public static let ports = TransformPorts<Audio, Measurement>(
    .audio([.s16, .f32, .s32, .f64], layouts: [.interleaved]),
    FormatConstraint(MediaKind.measurement))

  public func makeSummary(
    of format: AudioFormat, from frame: Int
  ) throws(NodeError) -> SilenceSummary {
    SilenceSummary(
      of: format, threshold: factor(decibels: threshold), minimum: minimum, from: frame)
  }

  public func send(_ summary: consuming SilenceSummary, to outputs: NodeOutputs) throws {
    let rate = Double(max(1, summary.sampleRate))
    func seconds(_ frames: Int) -> JSONValue { .number(Double(frames) / rate) }
    let silences = summary.all
    let list = silences.map { frames in
      JSONValue.object([
        "start": seconds(frames.lowerBound), "end": seconds(frames.upperBound),
        "duration": seconds(frames.count),
      ])
    }
    try outputs.sendMeasurement([
      "silences": .array(list), "total": seconds(silences.reduce(0) { $0 + $1.count }),
      "duration": seconds(summary.endFrame),
    ])
  }
}

extension NodeOutputs {
  /// Sends a measurement on the first output, and reports it as an event.
  func sendMeasurement(_ values: [String: JSONValue]) throws {
    report(measurement: values)
    let text = try JSONTree(encoding: JSONValue.object(values)).jsonLine
    let sample = SampleBuffer(bytes: Array(text.utf8), format: try FormatDescription(.measurement))
    try announce(sample.format, on: 0)
    try send(sample)
  }
}
