import GraphKit
import GraphKitSystem

/// Encodes video as H.264, with x264.
///
/// Where something live enters, the defaults suit a recording: few frames are held back, so that a crash
/// loses little. What comes from files is encoded as the preset has it, with all that x264 does ahead of
/// time on threads of its own.
public struct H264Encoder: ElementNode, TwoPassEncoder {
  /// The profiles of 8-bit 4:2:0.
  public enum Profile: String, CaseIterable, Sendable { case baseline, main, high }

  /// What the video is for; what isn't given follows from it.
  public var purpose: EncoderPurpose?
  /// Bits a second; `nil` for what the size of the frame asks for.
  public var bitRate: Int?
  /// A constant quality instead of a bit rate: x264's quantizer, 1 for the best, 50 for the
  /// worst. GStreamer's element takes whole numbers alone.
  public var quality: Double?
  /// Whether all frames are encoded twice, so that the second pass knows how hard each is and spends the
  /// bits of ``bitRate`` where they are needed.
  public var twoPass = false
  /// The most frames from one key frame to the next; `nil` for what ``purpose`` says, or 60.
  public var keyFrameInterval: Int?
  /// The profile that decoders must know.
  public var profile = Profile.high
  /// How fast it works, and how well; `nil` for what ``purpose`` says, or `veryfast`.
  public var preset: EncoderPreset?
  /// B-frames between others, at most; `nil` for 2 where it is live and else for what the preset has,
  /// or none where the profile has none.
  public var bFrames: Int?
  /// Frames that it looks ahead to spend bits well; `nil` for 5 where it is live and else for what the
  /// preset has.
  public var lookahead: Int?
  /// Whether it holds back no frame at all, at some cost in quality.
  public var lowLatency = false
  /// Frames that it works on at once, each but the first one more held back; `nil` for 4 where it is live
  /// and else for one and a half for each core, at most 16.
  public var threads: Int?
  /// More of x264's options, for frames that go beside those of another encoder.
  package var options: [String] = []
  private var isLive = true

  var statistics: PassStatistics?

  /// An encoder for recordings.
  public init() {}

  public static let declaration = NodeDeclaration<H264Encoder>(
    "h264Encoder", role: .encoder, help: "Encodes video as H.264.",
    phrase: "encoded as H.264[ at {bitRate}]",
    example: "camera -> h264Encoder -> movie.video",
    parameters: [
      .choice("purpose", \.purpose, help: EncoderPurpose.help),
      .integer(
        "bitRate", \.bitRate, in: 1_000...1_000_000_000, unit: "bit/s",
        help: "4 bits a second per pixel below 640x480 and 10 above where not given."),
      .number(
        "quality", \.quality, in: 1...50,
        help: "Constant quality instead of a bit rate: 1 is the best, 18 good, 50 the worst; whole."
      ),
      .bool("twoPass", \.twoPass, help: PassStatistics.help),
      .integer(
        "keyFrameInterval", \.keyFrameInterval, in: 1...100_000, unit: "frames",
        help: "The most frames from one key frame to the next; 60 where nothing says."),
      .choice("profile", \.profile, help: "The profile that decoders must know."),
      .choice(
        "preset", \.preset, help: "How fast it works, and how well; `veryfast` where nothing says."),
      .integer(
        "bFrames", \.bFrames, in: 0...16, unit: "frames",
        help: "B-frames in a row, at most. Live 2, else the preset's; baseline has none."),
      .integer(
        "lookahead", \.lookahead, in: 0...250, unit: "frames",
        help: "Frames that it looks ahead; more is better and later. Live 5, else the preset's."),
      .bool("lowLatency", \.lowLatency, help: "Whether it holds back no frame at all."),
      .integer(
        "threads", \.threads, in: 1...64,
        help: "Frames that it works on at once, all but one held back. Live 4, else by the cores."),
    ])

  public static let ports = TransformPorts<Video, EncodedVideo>(
    .video([.i420, .nv12]), .encoded(.h264))

  public var traits: NodeTraits {
    NodeTraits(groupLength: twoPass ? nil : usedKeyFrameInterval)
  }

  public var problem: NodeError? {
    let ofRate = NodeError.ofRate(bitRate: bitRate, hasQuality: quality != nil, twoPass: twoPass)
    if let ofRate { return ofRate }
    if let quality, Int(exactly: quality) == nil {
      return NodeError(
        "GStreamer's x264enc takes no `quality` of \(quality)",
        remedy: "write a whole number, from 1 to 50", key: "quality")
    }
    if profile == .baseline, (bFrames ?? 0) > 0 {
      return NodeError(
        "the baseline profile has no B-frames",
        remedy: "set `bFrames` to 0 or `profile` to main", key: "bFrames")
    }
    return nil
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .size(of: formats["in"])
  }

  public mutating func settle(isLive: Bool) { self.isLive = isLive }

  private var usedPreset: EncoderPreset {
    preset ?? purpose?.choose(web: .medium, archive: .slow, preview: .ultrafast) ?? .veryfast
  }

  private var usedQuality: Double? {
    quality ?? (bitRate == nil ? purpose?.choose(web: 23, archive: 17, preview: 30) : nil)
  }

  private var usedKeyFrameInterval: Int { keyFrameInterval ?? purpose.keyFrameInterval }

  private var usedBFrames: Int {
    lowLatency || profile == .baseline ? 0 : bFrames ?? (isLive ? 2 : usedPreset.bFrames)
  }

  private var usedLookahead: Int { lookahead ?? (isLive ? 5 : usedPreset.lookahead) }

  private var usedThreads: Int {
    threads ?? (isLive ? 4 : max(1, min(16, Machine.coreCount * 3 / 2)))
  }

  /// Whether frames are looked at on a thread of their own, which holds still more of them.
  private var looksAheadApart: Bool { !isLive && !lowLatency && usedThreads > 1 }

  /// What x264 holds back: the lookahead, which holds at least the B-frames and what follows
  /// them, the frames in work, and what waits for the lookahead's thread
  /// (`x264_encoder_maximum_delayed_frames`).
  var delayedFrames: Int {
    guard !lowLatency else { return 0 }
    let ahead = max(min(usedLookahead, usedKeyFrameInterval), usedBFrames)
    return ahead + usedThreads - 1 + (usedBFrames > 0 ? 1 : 0)
      + (looksAheadApart ? usedBFrames + 1 : 0)
  }

  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    .frames(delayedFrames, at: formats["in"]?.frameRate)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let encoder = ElementSpec("x264enc", plugin: "x264", properties(for: formats["in"]))
    let filter = ElementSpec(
      "capsfilter", plugin: "coreelements",
      ["caps": "video/x-h264, profile=(string)\(profileNames), stream-format=(string)avc"])
    var chain = ElementChain([encoder, filter])
    chain.filters["in"] = [.completedFieldOrder]
    return [chain]
  }

  /// x264 says `constrained-baseline` of what it makes for the baseline profile.
  private var profileNames: String {
    profile == .baseline ? "{ constrained-baseline, baseline }" : profile.rawValue
  }

  private func properties(for format: FormatConstraint?) -> [String: String] {
    let rate = bitRate ?? defaultBitRate(width: format?.width, height: format?.height)
    var properties = [
      "speed-preset": usedPreset.rawValue, "key-int-max": "\(usedKeyFrameInterval)",
      "bframes": "\(usedBFrames)", "rc-lookahead": "\(usedLookahead)", "threads": "\(usedThreads)",
      // Live it would hold back still more frames.
      "sync-lookahead": looksAheadApart ? "-1" : "0",
      // It would take bits away that the rate allows.
      "vbv-buf-capacity": "0",
      "aud": "false", "bitrate": "\(max(1, rate / 1000))",
    ]
    if let quality = usedQuality {
      properties.merge(["pass": "qual", "quantizer": "\(Int(quality.rounded()))"]) { $1 }
    }
    if let statistics {
      properties["pass"] = "pass\(statistics.number)"
      properties["multipass-cache-file"] = statistics.path
    }
    if lowLatency { properties["tune"] = "zerolatency" }
    if !options.isEmpty { properties["option-string"] = options.joined(separator: ":") }
    return properties
  }
}

extension EncoderPreset {
  /// Frames that x264 looks ahead (`x264 --fullhelp`).
  fileprivate var lookahead: Int {
    switch self {
    case .ultrafast, .superfast: 0
    case .veryfast: 10
    case .faster: 20
    case .fast: 30
    case .medium: 40
    case .slow: 50
    case .slower, .veryslow: 60
    }
  }

  /// B-frames in a row of x264, at most.
  fileprivate var bFrames: Int {
    switch self {
    case .ultrafast: 0
    case .veryslow: 8
    default: 3
    }
  }
}
