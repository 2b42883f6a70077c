import GraphKit

/// Encodes video as VP9, with libvpx.
///
/// The defaults suit a recording: no frame is held back. For a file, a ``purpose`` is better and
/// slower.
public struct VP9Encoder: ElementNode, TwoPassEncoder {
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
  /// 7, and 4 in two passes.
  public var speed: Int?
  /// Frames that it looks ahead to spend bits well; `nil` for 0.
  public var lookahead: Int?
  /// Threads that it works on.
  public var threads = 4

  var statistics: PassStatistics?

  /// An encoder for recordings.
  public init() {}

  public static let declaration = NodeDeclaration<VP9Encoder>(
    "vp9Encoder", role: .encoder, help: "Encodes video as VP9.",
    phrase: "encoded as VP9[ at {bitRate}]",
    example: "camera -> vp9Encoder -> web.video",
    parameters: [
      .choice("purpose", \.purpose, help: EncoderPurpose.help),
      .integer(
        "bitRate", \.bitRate, in: 1_000...1_000_000_000, unit: "bit/s",
        help: "Half of what H.264 would get where not given."),
      .integer(
        "quality", \.quality, in: 0...63,
        help: "Constant quality instead of a bit rate: 0 is the best, 31 good, 63 the worst."),
      .bool("twoPass", \.twoPass, help: PassStatistics.help),
      .integer(
        "keyFrameInterval", \.keyFrameInterval, in: 1...100_000, unit: "frames",
        help: "The most frames from one key frame to the next; 60 where nothing says."),
      .integer(
        "speed", \.speed, in: 0...9,
        help:
          "How fast: 0 is the slowest and best, from 5 on for live video; 7, or 4 in two passes."
      ),
      .integer(
        "lookahead", \.lookahead, in: 0...25, unit: "frames",
        help: "Frames that it looks ahead; more is better and later. None where nothing says."),
      .integer("threads", \.threads, in: 1...64, help: "Threads that it works on."),
    ])

  public static let ports = TransformPorts<Video, EncodedVideo>(.video([.i420]), .encoded(.vp9))

  public var problem: NodeError? {
    .ofRate(bitRate: bitRate, hasQuality: quality != nil, twoPass: twoPass)
  }

  /// A frame's header has 16 bits for each length.
  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .size(of: formats["in"], within: 16...65_535)
  }

  /// The encoder's element (1.22) takes out at the end what libvpx gives at once: as much as fits into
  /// half of a frame's memory.
  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    usedLookahead <= Self.safeLookahead
      ? []
      : [
        "with a `lookahead` of \(usedLookahead), GStreamer's VP9 encoder may lose the last frames of "
          + "video that takes many bits: see that it has them, or look ahead \(Self.safeLookahead)"
      ]
  }

  /// So many frames were never lost, whatever was in them.
  private static let safeLookahead = 3

  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    .frames(usedLookahead, at: formats["in"]?.frameRate)
  }

  private var usedSpeed: Int {
    speed ?? purpose?.choose(web: 3, archive: 2, preview: 8) ?? (twoPass ? 4 : 7)
  }

  private var usedLookahead: Int { lookahead ?? 0 }

  private var usedQuality: Int? {
    quality ?? (bitRate == nil ? purpose?.choose(web: 33, archive: 18, preview: 48) : nil)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let format = formats["in"]
    let rate = bitRate ?? defaultBitRate(width: format?.width, height: format?.height) / 2
    var properties = [
      "target-bitrate": "\(rate)",
      "keyframe-max-dist": "\(keyFrameInterval ?? purpose.keyFrameInterval)",
      "cpu-used": "\(usedSpeed)", "deadline": .vpxDeadline(isRealtime: usedSpeed > 4 && !twoPass),
      "threads": "\(threads)", "lag-in-frames": "\(usedLookahead)",
      "auto-alt-ref": "\(usedLookahead > 1)", "row-mt": "true",
    ]
    properties.setQuantizer(usedQuality)
    if let statistics { properties.merge(statistics.vpxProperties) { $1 } }
    return [ElementChain([ElementSpec("vp9enc", plugin: "vpx", properties)])]
  }
}
