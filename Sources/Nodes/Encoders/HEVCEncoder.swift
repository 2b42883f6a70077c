import GraphKit

/// Encodes video as HEVC (H.265), with x265.
public struct HEVCEncoder: ElementNode, TwoPassEncoder {
  /// What the video is for; what isn't given follows from it.
  public var purpose: EncoderPurpose?
  /// Bits a second; `nil` for what the size of the frame asks for.
  public var bitRate: Int?
  /// A constant quality instead of a bit rate: x265's rate factor, 0 the best, 51 the worst.
  public var quality: Double?
  /// Whether all frames are encoded twice, so that the second pass knows how hard each is and spends the
  /// bits of ``bitRate`` where they are needed.
  public var twoPass = false
  /// The most frames from one key frame to the next; `nil` for what ``purpose`` says, or 60.
  public var keyFrameInterval: Int?
  /// How fast it works, and how well; `nil` for what ``purpose`` says, or `veryfast`.
  public var preset: EncoderPreset?
  /// B-frames between others, at most; `nil` for what ``purpose`` says, or 2.
  public var bFrames: Int?
  /// Frames that it looks ahead to spend bits well; `nil` for what ``purpose`` says, or 5.
  public var lookahead: Int?
  /// Whether it holds back no frame at all, at some cost in quality.
  public var lowLatency = false

  var statistics: PassStatistics?

  /// More of x265's options, for frames that go beside those of another encoder.
  var options: [String] = []

  /// An encoder for recordings.
  public init() {}

  public static let declaration = NodeDeclaration<HEVCEncoder>(
    "hevcEncoder", role: .encoder, help: "Encodes video as HEVC (H.265).",
    phrase: "encoded as HEVC[ at {bitRate}]",
    example: "camera -> hevcEncoder -> movie.video",
    parameters: [
      .choice("purpose", \.purpose, help: EncoderPurpose.help),
      .integer(
        "bitRate", \.bitRate, in: 1_000...100_000_000, unit: "bit/s",
        help: "Half of what H.264 would get where not given."),
      .number(
        "quality", \.quality, in: 0...51,
        help: "Constant quality instead of a bit rate: 0 is the best, 51 the worst."),
      .bool("twoPass", \.twoPass, help: PassStatistics.help),
      .integer(
        "keyFrameInterval", \.keyFrameInterval, in: 1...100_000, unit: "frames",
        help: "The most frames from one key frame to the next; 60 where nothing says."),
      .choice(
        "preset", \.preset, help: "How fast it works, and how well; `veryfast` where nothing says."),
      .integer(
        "bFrames", \.bFrames, in: 0...16, unit: "frames",
        help: "B-frames in a row, at most; 2 where nothing says."),
      .integer(
        "lookahead", \.lookahead, in: 1...250, unit: "frames",
        help: "Frames that it looks ahead; more is better and later. 5 where nothing says."),
      .bool("lowLatency", \.lowLatency, help: "Whether it holds back no frame at all."),
    ])

  public static let ports = TransformPorts<Video, EncodedVideo>(
    .video([.i420]), .encoded(.hevc))

  public var traits: NodeTraits {
    NodeTraits(groupLength: twoPass ? nil : usedKeyFrameInterval)
  }

  public var problem: NodeError? {
    .ofRate(bitRate: bitRate, hasQuality: quality != nil, twoPass: twoPass)
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .size(of: formats["in"])
  }

  private var usedPreset: EncoderPreset {
    preset ?? purpose?.choose(web: .medium, archive: .slow, preview: .ultrafast) ?? .veryfast
  }

  private var usedQuality: Double? {
    quality ?? (bitRate == nil ? purpose?.choose(web: 28, archive: 20, preview: 35) : nil)
  }

  private var usedKeyFrameInterval: Int { keyFrameInterval ?? purpose.keyFrameInterval }

  private var usedBFrames: Int {
    lowLatency ? 0 : bFrames ?? purpose?.choose(web: 4, archive: 4, preview: 2) ?? 2
  }

  /// x265 refuses a lookahead that isn't longer than its run of B-frames.
  private var usedLookahead: Int {
    let wanted = lookahead ?? purpose?.choose(web: 20, archive: 25, preview: 5) ?? 5
    return max(wanted, usedBFrames + 1)
  }

  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    .frames(lowLatency ? 0 : usedLookahead + usedBFrames + 2, at: formats["in"]?.frameRate)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let format = formats["in"]
    let rate = bitRate ?? defaultBitRate(width: format?.width, height: format?.height) / 2
    // Not `repeat-headers`: where the first frame brings headers of its own, x265enc (1.22) puts
    // uninitialised bytes before it, and some of them no parser gets past.
    var options =
      [
        "bframes=\(usedBFrames)", "rc-lookahead=\(usedLookahead)", "frame-threads=1",
      ] + self.options
    if let quality = usedQuality { options.append("crf=\(quality)") }
    if let statistics {
      options += ["pass=\(statistics.number)", "stats=\(statistics.path)"]
    }
    var properties = [
      "speed-preset": usedPreset.rawValue,
      "key-int-max": "\(usedKeyFrameInterval)",
      "bitrate": "\(max(1, rate / 1000))", "option-string": options.joined(separator: ":"),
    ]
    if lowLatency { properties["tune"] = "zerolatency" }
    // As movies have it, so that caps say what the stream's configuration is.
    var chain = ElementChain(
      [ElementSpec("x265enc", plugin: "x265", properties)] + Codec.hevc.framedForMovies)
    chain.filters["in"] = [.completedRate]
    return [chain]
  }
}
