import GraphKit

/// Encodes video as VP8, with libvpx.
///
/// It holds back no frame, so that it suits a recording as it suits a file.
public struct VP8Encoder: ElementNode {
  /// Bits a second; `nil` for what the size of the frame asks for.
  public var bitRate: Int?
  /// A constant quality instead of a bit rate: the quantizer, 0 for the best, 63 for the worst.
  public var quality: Int?
  /// The most frames from one key frame to the next.
  public var keyFrameInterval = 60
  /// How fast it works: 0 is the slowest, and the best.
  public var speed = 8
  /// Threads that it works on.
  public var threads = 4

  /// An encoder for recordings.
  public init() {}

  public static let declaration = NodeDeclaration<VP8Encoder>(
    "vp8Encoder", role: .encoder, help: "Encodes video as VP8.",
    phrase: "encoded as VP8[ at {bitRate}]",
    example: "camera -> vp8Encoder -> web.video",
    parameters: [
      .integer(
        "bitRate", \.bitRate, in: 1_000...1_000_000_000, unit: "bit/s",
        help: "4 bits a second per pixel below 640x480 and 10 above where not given."),
      .integer(
        "quality", \.quality, in: 0...63,
        help: "Constant quality instead of a bit rate: 0 is the best, 10 good, 63 the worst."),
      .integer(
        "keyFrameInterval", \.keyFrameInterval, in: 1...100_000, unit: "frames",
        help: "The most frames from one key frame to the next."),
      .integer(
        "speed", \.speed, in: 0...16,
        help: "How fast it works: 0 is the slowest and best; from 6 on it is for live video."),
      .integer("threads", \.threads, in: 1...64, help: "Threads that it works on."),
    ])

  public static let ports = TransformPorts<Video, EncodedVideo>(.video([.i420]), .encoded(.vp8))

  public var problem: NodeError? { bitRate != nil && quality != nil ? .bitRateAndQuality : nil }

  /// A frame's header has 14 bits for each length (RFC 6386, 9.1).
  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .size(of: formats["in"], within: 16...16_383)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let format = formats["in"]
    let rate = bitRate ?? defaultBitRate(width: format?.width, height: format?.height)
    var properties = [
      "target-bitrate": "\(rate)", "keyframe-max-dist": "\(keyFrameInterval)",
      "cpu-used": "\(speed)", "deadline": .vpxDeadline(isLive: speed > 5), "threads": "\(threads)",
    ]
    properties.setQuantizer(quality)
    return [ElementChain([ElementSpec("vp8enc", plugin: "vpx", properties)])]
  }
}
