import GraphKit

/// Encodes video as AV1, with libaom.
///
/// The defaults suit a recording: no frame is held back. For a file, a `speed` of 5 and a
/// `lookahead` of 25 are better and slower.
public struct AV1Encoder: ElementNode {
  /// Bits a second; `nil` for what the size of the frame asks for.
  public var bitRate: Int?
  /// A constant quality instead of a bit rate: the quantizer, 1 for the best, 63 for the worst.
  public var quality: Int?
  /// The most frames from one key frame to the next.
  public var keyFrameInterval = 60
  /// How fast it works: 0 is the slowest, and the best.
  public var speed = 8
  /// Frames that it looks ahead to spend bits well.
  public var lookahead = 0
  /// Threads that it works on.
  public var threads = 4

  /// An encoder for recordings.
  public init() {}

  public static let declaration = NodeDeclaration<AV1Encoder>(
    "av1Encoder", role: .encoder, help: "Encodes video as AV1.",
    phrase: "encoded as AV1[ at {bitRate}]",
    example: "camera -> av1Encoder -> web.video",
    parameters: [
      .integer(
        "bitRate", \.bitRate, in: 1_000...1_000_000_000, unit: "bit/s",
        help: "Half of what H.264 would get where not given."),
      .integer(
        "quality", \.quality, in: 1...63,
        help: "Constant quality instead of a bit rate: 1 is the best, 30 good, 63 the worst."),
      .integer(
        "keyFrameInterval", \.keyFrameInterval, in: 1...100_000, unit: "frames",
        help: "The most frames from one key frame to the next."),
      .integer(
        "speed", \.speed, in: 0...10,
        help: "How fast it works: 0 is the slowest and best; from 7 on it is for live video."),
      .integer(
        "lookahead", \.lookahead, in: 0...35, unit: "frames",
        help: "Frames that it looks ahead, at a speed below 7; more is better and later."),
      .integer("threads", \.threads, in: 1...64, help: "Threads that it works on."),
    ])

  public static let ports = TransformPorts<Video, EncodedVideo>(.video([.i420]), .encoded(.av1))

  public var problem: NodeError? {
    if bitRate != nil, quality != nil { return .bitRateAndQuality }
    guard lookahead > 0, isLive else { return nil }
    return NodeError(
      "at a `speed` of \(speed) it never looks ahead",
      remedy: "leave `lookahead` out, or set `speed` to 6 or less", key: "lookahead")
  }

  /// A sequence's header has at most 16 bits for each length (AV1 specification, 5.5.1).
  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .size(of: formats["in"], within: 16...65_536)
  }

  /// Whether it works as for live video, in which it takes each frame by itself.
  private var isLive: Bool { speed > 6 }

  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    .frames(isLive ? 0 : lookahead, at: formats["in"]?.frameRate)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let format = formats["in"]
    let rate = bitRate ?? defaultBitRate(width: format?.width, height: format?.height) / 2
    var properties = [
      "target-bitrate": "\(max(1, rate / 1000))", "keyframe-max-dist": "\(keyFrameInterval)",
      "cpu-used": "\(speed)", "usage-profile": isLive ? "realtime" : "good-quality",
      "threads": "\(threads)", "lag-in-frames": "\(isLive ? 0 : lookahead)",
      // Its own default is 0, which is lossless whatever the bit rate.
      "max-quantizer": "63",
    ]
    properties.setQuantizer(quality)
    if quality != nil { properties["end-usage"] = "q" }
    return [ElementChain([ElementSpec("av1enc", plugin: "aom", properties)])]
  }
}
