import GraphKit

/// Encodes audio as AAC (low complexity), with libav's encoder, or that of VisualOn.
public struct AACEncoder: ElementNode {
  /// Bits a second of all channels; `nil` for 64,000 a channel.
  public var bitRate: Int?

  /// An encoder of good quality.
  public init() {}

  public static let declaration = NodeDeclaration<AACEncoder>(
    "aacEncoder", role: .encoder, help: "Encodes audio as AAC.",
    phrase: "encoded as AAC[ at {bitRate}]",
    example: "microphone -> aacEncoder -> movie.audio",
    parameters: [
      .integer(
        "bitRate", \.bitRate, in: 8_000...1_024_000, unit: "bit/s",
        help: "Of all channels together; 64,000 for each where not given.")
    ])

  public static let ports = TransformPorts<Audio, EncodedAudio>(
    .audio(
      [.f32], layouts: [.interleaved],
      sampleRates: [
        48_000, 44_100, 96_000, 88_200, 64_000, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8_000,
      ], channels: [2, 1, 3, 4, 5, 6]), .encoded(.aac))

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .tooManyChannels(in: formats["in"], most: 6)
  }

  /// Two frames of 1,024 samples: the one that fills and the one before it.
  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    MediaTime(value: 2048, timescale: Int32(clamping: formats["in"]?.sampleRates.first ?? 8_000))
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let rate = bitRate ?? 64_000 * (formats["in"]?.channels.first ?? 2)
    let properties = ["bitrate": "\(rate)"]
    // "Automatic" is no value of the property: true, its default, has every band be coded as the sum and
    // the difference of the channels, which libav's encoder gets wrong where one is silent.
    let own = properties.merging(["aac-ms": "false"]) { $1 }
    var chain = ElementChain(
      ElementSpec("avenc_aac", plugin: "libav", own), placing: Self.targets)
    chain.priming = 1024
    chain.filters["in", default: []].append(.bounded(to: Self.sampleLimit))
    return [
      chain,
      ElementChain(
        ElementSpec("voaacenc", plugin: "voaacenc", properties), placing: ChannelTargets([1, 2])),
    ]
  }

  /// The layouts that have a number (ISO/IEC 14496-3, 1.6.3.5): others are described in the stream, which
  /// ADTS has no room for.
  private static let targets = ChannelTargets([
    .threeZero, [.threeZero, .backCenter], .fiveZero, .fiveOne,
  ])

  /// libav's encoder seeks a coarser quantization for ever where a frame fits at none: noise of
  /// 10,000 times full scale and more. It refuses what is much larger, or no number.
  private static let sampleLimit = 256.0
}
