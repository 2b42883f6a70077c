import GraphKit

/// Encodes audio as Opus, with libopus.
///
/// Opus works at 48 kHz and a few rates below: audio of other rates, such as 44.1 kHz, is converted.
public struct OpusEncoder: ElementNode {
  /// How bits are shared out among packets.
  public enum Mode: String, CaseIterable, Sendable {
    /// As the audio needs them.
    case variable
    /// The same, but no packet far above the rate.
    case constrained
    /// Every packet has the same size.
    case constant
  }
  /// What the audio is, for the encoder.
  public enum Content: String, CaseIterable, Sendable { case any, speech }

  /// Bits a second of all channels; `nil` for 64,000 of mono and 48,000 a channel of others.
  public var bitRate: Int?
  /// How bits are shared out.
  public var mode = Mode.variable
  /// What the audio is.
  public var content = Content.any
  /// How hard it works, from 0 to 10.
  public var complexity = 10

  /// An encoder of good quality.
  public init() {}

  public static let declaration = NodeDeclaration<OpusEncoder>(
    "opusEncoder", role: .encoder, help: "Encodes audio as Opus.",
    phrase: "encoded as Opus[ at {bitRate}]",
    example: "microphone -> opusEncoder -> audioSink",
    parameters: [
      .integer(
        "bitRate", \.bitRate, in: 6_000...650_000, unit: "bit/s",
        help: "Of all channels; where not given, 64,000 of mono and 48,000 a channel of others."),
      .choice(
        "mode", \.mode, help: "Whether packets have the bits that they need, or all the same."),
      .choice("content", \.content, help: "Whether the encoder is tuned for speech."),
      .integer("complexity", \.complexity, in: 0...10, help: "How hard it works; 10 is the best."),
    ])

  public static let ports = TransformPorts<Audio, EncodedAudio>(
    .audio(
      [.s16], layouts: [.interleaved], sampleRates: [48_000, 24_000, 16_000, 12_000, 8_000],
      channels: [2, 1, 3, 4, 5, 6, 7, 8]), .encoded(.opus))

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .tooManyChannels(in: formats["in"], most: 8)
  }

  /// A packet of 20 ms, and what the encoder looks ahead.
  public var latency: MediaTime { MediaTime(value: 20 + 7, timescale: 1_000) }

  /// Frames at 48 kHz that it puts before the first, whatever the rate of its input.
  static let priming = 312
  /// How long those are.
  static let lead = MediaTime(frames: priming, at: 48_000)

  /// The order in which the encoder of GStreamer 1.22 takes so many channels: the table that it writes
  /// says of them where each comes from, and decoders read where it goes (RFC 7845, 5.1.1). Of other
  /// numbers that is the same.
  private static let orders = [
    5: [0, 1, 4, 2, 3], 7: [0, 1, 4, 3, 5, 2, 6], 8: [0, 1, 6, 7, 2, 3, 4, 5],
  ]

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let channels = formats["in"]?.channels.first ?? 2
    let rate = bitRate ?? max(64_000, 48_000 * channels)
    let modes: [Mode: String] = [
      .variable: "vbr", .constrained: "constrained-vbr", .constant: "cbr",
    ]
    let properties = [
      "bitrate": "\(rate)", "bitrate-type": modes[mode] ?? "vbr", "complexity": "\(complexity)",
      "audio-type": content == .speech ? "voice" : "generic",
      // The largest that the element takes: 4,000 are less than 60 ms of eight channels have.
      "max-payload-size": "4000",
    ]
    var targets = ChannelTargets.usual
    targets.orders = Self.orders
    var chain = ElementChain(ElementSpec("opusenc", plugin: "opus", properties), placing: targets)
    chain.priming = Self.priming
    chain.filters["out"] = [.opusPackets]
    chain.keepPicturesFromHeader()
    return [chain]
  }
}
