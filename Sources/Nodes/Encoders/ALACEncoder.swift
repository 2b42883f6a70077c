import GraphKit

/// Encodes audio as ALAC (Apple Lossless), with libav's encoder, for movies and M4A files.
///
/// Samples of 16 bits stay as they are; of 32 the upper 24 are kept, which is all that it has.
public struct ALACEncoder: ElementNode {
  /// An encoder; it has no settings.
  public init() {}

  public static let declaration = NodeDeclaration<ALACEncoder>(
    "alacEncoder", role: .encoder, help: "Encodes audio as ALAC (Apple Lossless).",
    phrase: "encoded as ALAC",
    example: "file.audio -> alacEncoder -> movie.audio", parameters: [])

  public static let ports = TransformPorts<Audio, EncodedAudio>(
    .audio(
      [.s16, .s32], layouts: [.interleaved],
      sampleRates: [
        48_000, 44_100, 96_000, 88_200, 64_000, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8_000,
      ], channels: [2, 1]), .encoded(.alac))

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .tooManyChannels(in: formats["in"], most: 2)
  }

  public var latency: MediaTime { latency(formats: [:]) }

  /// Two packets: the one that fills and the one before it.
  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    FormatConstraint.length(of: 2 * 4_096, at: formats["in"])
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain([ElementSpec("avenc_alac", plugin: "libav")])
    chain.filters["in"] = [.steadyAudio]
    return [chain]
  }
}
