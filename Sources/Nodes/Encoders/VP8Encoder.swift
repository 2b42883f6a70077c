import GraphKit

/// Encodes video as VP8, with libvpx.
///
/// It holds back no frame, so that it suits a recording as it suits a file.
public struct VP8Encoder: ElementNode, TwoPassEncoder {
  /// What the video is for; what isn't given follows from it.
  public var purpose: EncoderPurpose?
  /// Bits a second; `nil` for what the size of the frame asks for.
  public var bitRate: Int?
  /// A constant quality instead of a bit rate: the quantizer, 0 for the best, 63 for the worst.
  public var quality: Int?
  /// Whether all frames are encoded twice, so that the second pass knows how hard each is and spends the
  /// bits of ``bitRate`` where they are needed.
  public var twoPass = false
  /// The most frames from one key frame to the next; `nil` for what ``purpose`` says, or 60.
  public var keyFrameInterval: Int?
  /// How fast it works: 0 is the slowest, and the best; `nil` for what ``purpose`` says, or
  /// 8, and 4 in two passes. From 6 on it takes less care where a machine is too slow for live video.
  public var speed: Int?
  /// Threads that it works on.
  public var threads = 4

  var statistics: PassStatistics?
  private var isLive = true

  /// An encoder for recordings.
  public init() {}

  public static let declaration = NodeDeclaration<VP8Encoder>(
    "vp8Encoder", role: .encoder, help: "Encodes video as VP8.",
    phrase: "encoded as VP8[ at {bitRate}]",
    example: "camera -> vp8Encoder -> web.video",
    parameters: [
      .choice("purpose", \.purpose, help: EncoderPurpose.help),
      .integer(
        "bitRate", \.bitRate, in: 1_000...1_000_000_000, unit: "bit/s",
        help: "4 bits a second per pixel below 640x480 and 10 above where not given."),
      .integer(
        "quality", \.quality, in: 0...63,
        help: "Constant quality instead of a bit rate: 0 is the best, 10 good, 63 the worst."),
      .bool("twoPass", \.twoPass, help: PassStatistics.help),
      .integer(
        "keyFrameInterval", \.keyFrameInterval, in: 1...100_000, unit: "frames",
        help: "The most frames from one key frame to the next; 60 where nothing says."),
      .integer(
        "speed", \.speed, in: 0...16,
        help:
          "How fast: 0 is the slowest and best, from 6 on for live video; 8, or 4 in two passes."
      ),
      .integer("threads", \.threads, in: 1...64, help: "Threads that it works on."),
    ])

  public static let ports = TransformPorts<Video, EncodedVideo>(.video([.i420]), .encoded(.vp8))

  public var problem: NodeError? {
    .ofRate(bitRate: bitRate, hasQuality: quality != nil, twoPass: twoPass)
  }

  /// A frame's header has 14 bits for each length (RFC 6386, 9.1).
  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .size(of: formats["in"], within: 16...16_383)
  }

  public mutating func settle(isLive: Bool) { self.isLive = isLive }

  private var usedSpeed: Int {
    speed ?? purpose?.choose(web: 4, archive: 2, preview: 12) ?? (twoPass ? 4 : 8)
  }

  /// Whether libvpx works in its mode for live video.
  private var isRealtime: Bool { usedSpeed > 5 && !twoPass }

  /// With a number above zero, libvpx measures how long frames take in real time, and takes up to half
  /// of it: what a file is made from would wait for that, and become another on a busy machine.
  private var usedCPU: String { isRealtime && !isLive ? "-\(usedSpeed)" : "\(usedSpeed)" }

  private var usedQuality: Int? {
    quality ?? (bitRate == nil ? purpose?.choose(web: 12, archive: 4, preview: 30) : nil)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let format = formats["in"]
    let rate = bitRate ?? defaultBitRate(width: format?.width, height: format?.height)
    var properties = [
      "target-bitrate": "\(rate)",
      "keyframe-max-dist": "\(keyFrameInterval ?? purpose.keyFrameInterval)",
      "cpu-used": usedCPU, "deadline": .vpxDeadline(isRealtime: isRealtime),
      "threads": "\(threads)",
    ]
    properties.setQuantizer(usedQuality)
    if let statistics { properties.merge(statistics.vpxProperties) { $1 } }
    return [ElementChain([ElementSpec("vp8enc", plugin: "vpx", properties)])]
  }
}
