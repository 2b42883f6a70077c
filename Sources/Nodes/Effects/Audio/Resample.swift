import GraphKit

/// Changes the sample rate of audio, with GStreamer's resampler.
///
/// `n` frames become n × new rate / old rate, less at most one frame of the old rate at the end,
/// and lie where they lay: the filter's delay is taken out.
public struct Resample: ElementNode {
  /// Samples a second that leave.
  public var sampleRate = 48_000
  /// How steep the filter is, from 0 to 10.
  public var quality = 8

  /// A resampler to 48 kHz.
  public init() {}

  public static let declaration = NodeDeclaration<Resample>(
    "resample", role: .effect, help: "Changes the sample rate of audio.",
    phrase: "resampled to {sampleRate}",
    example: "decoder -> resample -> encoder",
    parameters: [
      .integer(
        "sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz", help: "The rate that leaves."),
      .integer(
        "quality", \.quality, in: 0...10,
        help: "How long and steep the filter is; 10 takes the most time."),
    ])

  /// Audio of any rate in, and of one out.
  public static let ports = EffectPorts<Audio>(
    .audio([.f32, .s16, .s32, .f64], layouts: [.interleaved]))

  public var portDeclarations: [PortDeclaration] {
    let formats: [SampleFormat] = [.f32, .s16, .s32, .f64]
    let output = FormatConstraint.audio(
      formats, layouts: [.interleaved], sampleRates: [sampleRate])
    return [
      PortDeclaration(
        "in", .input, .audio(formats, layouts: [.interleaved]), help: "Audio of any sample rate."),
      PortDeclaration(
        "out", .output, output, follows: "in", help: "The audio at its new sample rate."),
    ]
  }

  /// The longest filter at the rate of the slower side of 8 kHz.
  public var latency: MediaTime { MediaTime(value: 1, timescale: 50) }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let resampler = ElementSpec(
      "audioresample", plugin: "audioresample", ["quality": "\(quality)"])
    var chain = ElementChain([resampler, .filter(.audio(sampleRates: [sampleRate]))])
    chain.filters["in"] = [.limitedRate, .bounded(to: .greatestFiniteMagnitude)]
    return [chain]
  }
}
