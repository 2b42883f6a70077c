import GraphKit

/// Samples that a program appends, in Swift.
public struct AppInput: EntryNode {
  /// The kinds of media that may enter.
  public enum Media: String, CaseIterable, Sendable { case audio, video }

  /// What enters.
  public var media = Media.audio
  /// The codec of encoded samples; `nil` for raw ones.
  public var codec: Codec?
  /// How PCM samples are stored.
  public var sampleFormat = SampleFormat.f32
  /// How channels lie in a block.
  public var layout = ChannelLayout.interleaved
  /// Samples a second of each channel.
  public var sampleRate = 48_000
  /// The number of channels.
  public var channels = 2
  /// How pixels are stored.
  public var pixelFormat = PixelFormat.i420
  /// Width in pixels.
  public var width = 1280
  /// Height in pixels.
  public var height = 720
  /// Frames a second; `nil` where it varies.
  public var frameRate: Rational?
  /// The exact caps of the samples, with a codec's header; empty for those that the rest makes.
  public var caps = ""
  /// Whether samples come as time passes, whether anyone is ready for them or not.
  public var live = false
  /// How long it will be, in seconds, so that progress is known; 0 where the program doesn't know.
  public var duration = 0.0
  /// Whether times of encoded audio are those at which it is heard.
  public var hasPresentationTimes = false

  /// An entry for stereo audio.
  public init() {}

  public static let declaration = NodeDeclaration<AppInput>(
    "appInput", role: .source, help: "Samples that a Swift program appends.",
    example: "appInput -> encoder",
    parameters: [
      .choice("media", \.media, help: "Whether audio or video enters."),
      .choice("codec", \.codec, help: "The codec of encoded samples; leave out for raw ones."),
      .choice("sampleFormat", \.sampleFormat, help: "How PCM samples are stored."),
      .choice("layout", \.layout, help: "How channels lie in a block."),
      .integer(
        "sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz", help: "Samples a second."),
      .integer("channels", \.channels, in: 1...63, help: "The number of channels."),
      .choice("pixelFormat", \.pixelFormat, help: "How pixels are stored."),
      .integer("width", \.width, in: 1...16_384, unit: "px", help: "Width of the frames."),
      .integer("height", \.height, in: 1...16_384, unit: "px", help: "Height of the frames."),
      .rational("frameRate", \.frameRate, unit: "1/s", help: "Frames a second, where constant."),
      .string(
        "caps", \.caps,
        help: "The samples' exact format as GStreamer's caps, with a codec's header, in place of "
          + "all above but `media`; without, H.264 and HEVC come as Annex B and AAC as ADTS."),
      .bool("live", \.live, help: "Whether samples come as time passes, ready or not."),
      .number(
        "duration", \.duration, in: 0...1e9, unit: "s",
        help: "How long it will be, for the progress of the run; 0 where that isn't known."),
    ])

  public static let ports = SourcePorts<AnyMedia>(help: "The samples that were appended.")

  public var portDeclarations: [PortDeclaration] {
    let format = entryFormat.constraint(isVideo: media == .video)
    return [PortDeclaration("out", .output, format, help: "The samples that were appended.")]
  }

  public var traits: NodeTraits { NodeTraits(isLive: live) }

  public var problem: NodeError? {
    if !caps.isEmpty {
      let kind: MediaKind = media == .audio ? .audio : .video
      guard MediaFormat(capsText: caps).kind.decoded != kind else { return nil }
      return NodeError(
        "`\(caps)` are no caps of \(media.rawValue)",
        remedy: "write them as `gst-launch-1.0` takes them, and set `media` to what they are",
        key: "caps")
    }
    guard let codec, codec.kind != (media == .audio ? .encodedAudio : .encodedVideo) else {
      return nil
    }
    return NodeError(
      "\(codec.rawValue) is no codec of \(media.rawValue)",
      remedy: "set `media` to \(media == .audio ? "video" : "audio"), or give another codec",
      key: "codec")
  }

  public var expectedDuration: MediaTime? {
    duration > 0 ? MediaTime(seconds: duration, preferredTimescale: 1_000_000) : nil
  }

  public func entryDescription() throws(NodeError) -> FormatDescription {
    guard caps.isEmpty else { return try FormatDescription(capsText: caps) }
    return try FormatDescription(capsText: entryFormat.capsText + streamFormat)
  }

  /// How samples without a header lie in their buffers: in the form that needs none.
  private var streamFormat: String {
    switch codec {
    case .h264, .hevc: ", stream-format=(string)byte-stream, alignment=(string)au"
    case .aac: ", stream-format=(string)adts, framed=(boolean)true"
    default: ""
    }
  }

  public var entryFormat: MediaFormat {
    guard caps.isEmpty else { return MediaFormat(capsText: caps) }
    return encodedOrRaw
  }

  private var encodedOrRaw: MediaFormat {
    switch (media, codec) {
    case (.audio, nil):
      .audio(
        AudioFormat(sampleFormat, sampleRate: sampleRate, channels: channels, layout: layout))
    case (.video, nil):
      .video(VideoFormat(pixelFormat, width: width, height: height, frameRate: frameRate))
    case (.audio, let codec?): .encoded(encodedAudio(codec))
    case (.video, let codec?): .encoded(encodedVideo(codec))
    }
  }

  private func encodedAudio(_ codec: Codec) -> EncodedFormat {
    var format = EncodedFormat(codec)
    (format.sampleRate, format.channels) = (sampleRate, channels)
    return format
  }

  private func encodedVideo(_ codec: Codec) -> EncodedFormat {
    var format = EncodedFormat(codec)
    (format.width, format.height, format.frameRate) = (width, height, frameRate)
    return format
  }
}
