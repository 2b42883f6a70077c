import GraphKit

/// Encodes video as AV1, with libaom.
///
/// The defaults suit a recording: no frame is held back. For a file, a ``purpose`` is better and
/// slower.
public struct AV1Encoder: ElementNode {
  /// What the video is for; what isn't given follows from it.
  public var purpose: EncoderPurpose?
  /// Bits a second; `nil` for what the size of the frame asks for.
  public var bitRate: Int?
  /// A constant quality instead of a bit rate: the quantizer, 1 for the best, 63 for the worst.
  public var quality: Int?
  /// The most frames from one key frame to the next; `nil` for what ``purpose`` says, or 60.
  public var keyFrameInterval: Int?
  /// How fast it works: 0 is the slowest, and the best; `nil` for what ``purpose`` says, or 8.
  public var speed: Int?
  /// Frames that it looks ahead to spend bits well; `nil` for what ``purpose`` says, or 0.
  public var lookahead: Int?
  /// Threads that it works on.
  public var threads = 4

  /// An encoder for recordings.
  public init() {}

  public static let declaration = NodeDeclaration<AV1Encoder>(
    "av1Encoder", role: .encoder, help: "Encodes video as AV1.",
    phrase: "encoded as AV1[ at {bitRate}]",
    example: "camera -> av1Encoder -> web.video",
    parameters: [
      .choice("purpose", \.purpose, help: EncoderPurpose.help),
      .integer(
        "bitRate", \.bitRate, in: 1_000...1_000_000_000, unit: "bit/s",
        help: "Half of what H.264 would get where not given."),
      .integer(
        "quality", \.quality, in: 1...63,
        help: "Constant quality instead of a bit rate: 1 is the best, 30 good, 63 the worst."),
      .integer(
        "keyFrameInterval", \.keyFrameInterval, in: 1...100_000, unit: "frames",
        help: "The most frames from one key frame to the next; 60 where nothing says."),
      .integer(
        "speed", \.speed, in: 0...10,
        help: "How fast: 0 is the slowest and best, from 7 on for live video; 8 where nothing says."
      ),
      .integer(
        "lookahead", \.lookahead, in: 0...35, unit: "frames",
        help: "Frames that it looks ahead, at a speed below 7; more is better and later."),
      .integer("threads", \.threads, in: 1...64, help: "Threads that it works on."),
    ])

  public static let ports = TransformPorts<Video, EncodedVideo>(.video([.i420]), .encoded(.av1))

  public var problem: NodeError? {
    if bitRate != nil, quality != nil { return .bitRateAndQuality }
    guard let lookahead, lookahead > 0, isLive else { return nil }
    return NodeError(
      "at a `speed` of \(usedSpeed) it never looks ahead",
      remedy: "leave `lookahead` out, or set `speed` to 6 or less", key: "lookahead")
  }

  /// A sequence's header has at most 16 bits for each length (AV1 specification, 5.5.1).
  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .size(of: formats["in"], within: 16...65_536)
  }

  /// Whether it works as for live video, in which it takes each frame by itself.
  private var isLive: Bool { usedSpeed > 6 }

  private var usedSpeed: Int { speed ?? purpose?.choose(web: 6, archive: 4, preview: 9) ?? 8 }

  private var usedLookahead: Int {
    isLive ? 0 : lookahead ?? purpose?.choose(web: 25, archive: 35, preview: 0) ?? 0
  }

  private var usedQuality: Int? {
    quality ?? (bitRate == nil ? purpose?.choose(web: 35, archive: 20, preview: 50) : nil)
  }

  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    .frames(usedLookahead, at: formats["in"]?.frameRate)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let format = formats["in"]
    let rate = bitRate ?? defaultBitRate(width: format?.width, height: format?.height) / 2
    var properties = [
      "target-bitrate": "\(max(1, rate / 1000))",
      "keyframe-max-dist": "\(keyFrameInterval ?? purpose.keyFrameInterval)",
      "cpu-used": "\(usedSpeed)", "usage-profile": isLive ? "realtime" : "good-quality",
      "threads": "\(threads)", "lag-in-frames": "\(usedLookahead)",
      // Its own default is 0, which is lossless whatever the bit rate.
      "max-quantizer": "63",
    ]
    properties.setQuantizer(usedQuality)
    if usedQuality != nil { properties["end-usage"] = "q" }
    var chain = ElementChain([ElementSpec("av1enc", plugin: "aom", properties)])
    chain.filters["out"] = [.describedAV1]
    return [chain]
  }
}
