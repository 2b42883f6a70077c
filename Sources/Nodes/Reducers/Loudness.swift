import GraphKit
import Glibc

/// Measures the loudness of audio, after EBU R 128, with libebur128.
///
/// At the end it sends one measurement: an object with `integrated` (LUFS, or `null` where all was
/// silence), `range` (LU), `truePeak` or `samplePeak` (dBTP or dBFS, `null` for silence).
public struct Loudness: AssociativeReducerNode {
  /// Whether peaks between samples are measured, too.
  public var truePeak = true
  /// The measurement of the stream that runs.
  public var summary: LoudnessSummary?

  /// A measurement with true peaks.
  public init() {}

  public static let declaration = NodeDeclaration<Loudness>(
    "loudness", role: .reducer, help: "Measures the loudness of audio, after EBU R 128.",
    phrase: "measured in loudness",
    example: "file.audio -> loudness -> measurementSink",
    parameters: [
      .bool(
        "truePeak", \.truePeak,
        help: "Whether peaks between samples are measured, which takes most of the time.")
    ])

  public static let ports = TransformPorts<Audio, Measurement>(
    .audio([.s16, .f32, .s32, .f64], layouts: [.interleaved]),
    FormatConstraint(MediaKind.measurement))

  public func makeSummary(
    of format: AudioFormat, from frame: Int
  ) throws(NodeError) -> LoudnessSummary {
    try LoudnessSummary(of: format, measuresTruePeak: truePeak, from: frame)
  }

  public func send(_ summary: consuming LoudnessSummary, to outputs: NodeOutputs) throws {
    let measured = try summary.values()
    let peak = measured.peak > 0 ? 20 * log10(measured.peak) : nil
    let values: [String: JSONValue] = [
      "integrated": Self.number(measured.integrated), "range": Self.number(measured.range),
      truePeak ? "truePeak" : "samplePeak": Self.number(peak),
    ]
    try outputs.sendMeasurement(values)
  }

  /// In hundredths: the measurement is no finer.
  private static func number(_ value: Double?) -> JSONValue {
    value.map { .number(($0 * 100).rounded() / 100) } ?? .null
  }
}
