import GraphKit

/// Encodes audio as Vorbis, with libvorbis.
public struct VorbisEncoder: ElementNode {
  /// The quality, from -1 to 10.
  public var quality = 3.0

  /// An encoder of about 110 kbit/s for stereo.
  public init() {}

  public static let declaration = NodeDeclaration<VorbisEncoder>(
    "vorbisEncoder", role: .encoder, help: "Encodes audio as Vorbis.",
    phrase: "encoded as Vorbis",
    example: "microphone -> vorbisEncoder -> audioSink",
    parameters: [
      .number(
        "quality", \.quality, in: -1...10,
        help: "As encoders of Vorbis count it: 3 is about 110 kbit/s for stereo, 6 about 190.")
    ])

  public static let ports = TransformPorts<Audio, EncodedAudio>(
    .audio(
      [.f32], layouts: [.interleaved],
      sampleRates: [
        48_000, 44_100, 96_000, 88_200, 64_000, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8_000,
      ], channels: [2, 1, 3, 4, 5, 6, 7, 8]), .encoded(.vorbis))

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .tooManyChannels(in: formats["in"], most: 8)
  }

  public var latency: MediaTime { latency(formats: [:]) }

  /// Two of the longest blocks, of which each overlaps with the one before, and one to look ahead.
  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    FormatConstraint.length(of: 3 * 2_048, at: formats["in"])
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain(
      ElementSpec("vorbisenc", plugin: "vorbis", ["quality": "\(max(-0.1, quality / 10))"]),
      placing: .usual)
    chain.keepPicturesFromHeader()
    return [chain]
  }
}
