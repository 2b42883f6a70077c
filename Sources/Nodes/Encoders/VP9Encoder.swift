import GraphKit

/// Encodes video as VP9, with libvpx.
///
/// The defaults suit a recording: no frame is held back. For a file, a `speed` of 2 and a
/// `lookahead` of 25 are better and slower.
public struct VP9Encoder: ElementNode {
  /// Bits a second; `nil` for what the size of the frame asks for.
  public var bitRate: Int?
  /// A constant quality instead of a bit rate: the quantizer, 0 for the best, 63 for the worst.
  public var quality: Int?
  /// The most frames from one key frame to the next.
  public var keyFrameInterval = 60
  /// How fast it works: 0 is the slowest, and the best.
  public var speed = 7
  /// Frames that it looks ahead to spend bits well.
  public var lookahead = 0
  /// Threads that it works on.
  public var threads = 4

  /// An encoder for recordings.
  public init() {}

  public static let declaration = NodeDeclaration<VP9Encoder>(
    "vp9Encoder", role: .encoder, help: "Encodes video as VP9.",
    phrase: "encoded as VP9[ at {bitRate}]",
    example: "camera -> vp9Encoder -> web.video",
    parameters: [
      .integer(
        "bitRate", \.bitRate, in: 1_000...1_000_000_000, unit: "bit/s",
        help: "Half of what H.264 would get where not given."),
      .integer(
        "quality", \.quality, in: 0...63,
        help: "Constant quality instead of a bit rate: 0 is the best, 31 good, 63 the worst."),
      .integer(
        "keyFrameInterval", \.keyFrameInterval, in: 1...100_000, unit: "frames",
        help: "The most frames from one key frame to the next."),
      .integer(
        "speed", \.speed, in: 0...9,
        help: "How fast it works: 0 is the slowest and best; from 5 on it is for live video."),
      .integer(
        "lookahead", \.lookahead, in: 0...25, unit: "frames",
        help: "Frames that it looks ahead; more is better and later, 25 suits files."),
      .integer("threads", \.threads, in: 1...64, help: "Threads that it works on."),
    ])

  public static let ports = TransformPorts<Video, EncodedVideo>(.video([.i420]), .encoded(.vp9))

  public var problem: NodeError? { bitRate != nil && quality != nil ? .bitRateAndQuality : nil }

  /// A frame's header has 16 bits for each length.
  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .size(of: formats["in"], within: 16...65_535)
  }

  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    .frames(lookahead, at: formats["in"]?.frameRate)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let format = formats["in"]
    let rate = bitRate ?? defaultBitRate(width: format?.width, height: format?.height) / 2
    var properties = [
      "target-bitrate": "\(rate)", "keyframe-max-dist": "\(keyFrameInterval)",
      "cpu-used": "\(speed)", "deadline": .vpxDeadline(isLive: speed > 4), "threads": "\(threads)",
      "lag-in-frames": "\(lookahead)", "auto-alt-ref": "\(lookahead > 1)", "row-mt": "true",
    ]
    properties.setQuantizer(quality)
    return [ElementChain([ElementSpec("vp9enc", plugin: "vpx", properties)])]
  }
}
