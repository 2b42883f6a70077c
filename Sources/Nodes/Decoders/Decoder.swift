import GraphKit

/// Decodes audio or video, with whichever decoder for the codec is installed. What is raw already,
/// such as the PCM of a WAV file, passes as it is.
public struct Decoder: ElementNode {
  /// What a decoder makes.
  public enum Media: String, CaseIterable, Sendable { case audio, video }

  /// What comes out; `nil` for what it is wired to, or else audio.
  public var media: Media?
  /// What it is wired to.
  private var wired = Media.audio

  /// A decoder of whatever it is wired to.
  public init() {}

  public static let declaration = NodeDeclaration<Decoder>(
    "decoder", role: .decoder, help: "Decodes audio or video of any codec that is installed.",
    phrase: "decoded",
    example: "file.audio -> decoder -> gain",
    parameters: [
      .choice(
        "media", \.media,
        help: "Whether it decodes audio or video; left out, what it is wired to.")
    ])

  public static let ports = TransformPorts<AnyMedia, AnyMedia>(
    FormatConstraint(.any), FormatConstraint(.any))

  public mutating func adopt(_ medium: MediaKind) -> Bool {
    wired = medium == .video ? .video : .audio
    return media == nil
  }

  private var medium: Media { media ?? wired }

  public var portDeclarations: [PortDeclaration] {
    let (encoded, raw): (MediaKind, MediaKind) =
      medium == .audio ? (.encodedAudio, .audio) : (.encodedVideo, .video)
    return [
      PortDeclaration("in", .input, FormatConstraint(encoded), help: "What is to be decoded."),
      PortDeclaration(
        "out", .output, FormatConstraint(raw), follows: "in", help: "The decoded samples."),
    ]
  }

  /// Frames that decoders hold back: the reordering of H.264 and HEVC is at most 16 deep, and
  /// libav decodes as many frames at once as it has threads.
  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    guard medium == .video else { return MediaTime(value: 1, timescale: 10) }
    return MediaTime.frames(32, at: formats["in"]?.frameRate)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let (before, after) = formats["in"]?.elementsAround ?? ([], [])
    let size = (formats["in"]?.width, formats["in"]?.height)
    if medium == .video, let problem = FrameLimit.problem(size.0, size.1) { throw problem }
    return try decoders(of: formats["in"], in: environment).map {
      var chain = ElementChain(before + [$0] + after)
      if medium == .video {
        chain.filters["in"] = [.limitedFrames]
        chain.filters["out"] = [.completedColors, .limitedFrames]
      }
      if let filters = formats["in"]?.codec?.decodingFilters {
        chain.filters["in", default: []] += filters.before
        chain.filters["out", default: []] += filters.after
      }
      return chain
    }
  }

  private func decoders(
    of format: FormatConstraint?, in environment: any Environment
  ) throws(NodeError) -> [ElementSpec] {
    if let codec = format?.codec {
      return codec.decoders(ofChannels: format?.channels.max() ?? 0)
    }
    guard let caps = format?.otherCaps else {
      throw NodeError(
        "the codec that enters the decoder isn't known before the run",
        remedy: "decode with a `gst` node that names the decoder", key: "in")
    }
    // GStreamer doesn't choose it by itself, and libav's takes no frame in pieces, as a file
    // without a parser gives it.
    if caps.hasPrefix("image/tiff") { return [ElementSpec("gdkpixbufdec", plugin: "gdkpixbuf")] }
    let found = environment.decoders(of: caps)
    guard found.isEmpty else { return medium == .video ? found.map(\.decodingAnyPixels) : found }
    throw .noDecoder(of: caps, in: environment)
  }
}

extension PadFilter {
  /// Fails the run at a picture of 16 bits without alpha, whose values GStreamer's decoder (1.22)
  /// moves by one: red would be white.
  fileprivate static let decodablePNG = PadFilter.samples { packet in
    let header = packet.withBytes { bytes in
      PNGHeader((0..<min(bytes.count, PNGHeader.byteCount)).map { bytes[$0] })
    }
    guard let header, header.depth == 16, header.isRGB else { return }
    throw NodeError(
      "a PNG picture of 16 bits a channel at \(packet.presentationTime) can't be decoded",
      remedy: "save it with 8 bits, or read it with an `imageSequence`")
  }

  /// Fails the run where the audio of a FLAC file changes. GStreamer's parser knows no frame of
  /// another format than the first, so that what follows is lost but for what it takes for a part of
  /// the last frame before.
  fileprivate static let steadyFLAC = PadFilter.steady { change in
    let seconds = (change.time.seconds * 1_000).rounded() / 1_000
    return NodeError(
      "the audio changes from \(change.old) to \(change.new) at \(seconds) s",
      remedy: "convert the file to one format first, or cut it there")
  }
}

extension FormatConstraint {
  /// The codec, where it is known.
  fileprivate var codec: Codec? { codecs.count == 1 ? codecs.first : nil }

  /// What comes before any decoder of it, and after it.
  fileprivate var elementsAround: (before: [ElementSpec], after: [ElementSpec]) {
    switch codecs.first {
    case .opus: Codec.opusElements
    // Its decoder begins with a frame rate, which pictures in files of their own haven't.
    case .jpeg where frameRate.map { $0 <= Rational(0) } ?? true: (Codec.jpeg.parsers, [])
    // It takes whole pictures alone, of which a Matroska file doesn't say that they are; a parser would
    // take those of two fields apart.
    case .jpeg:
      (
        [ElementSpec("capssetter", plugin: "debug", ["caps": "image/jpeg, parsed=(boolean)true"])],
        []
      )
    default: ([], [])
    }
  }
}

extension Codec {
  /// What is done to what enters a decoder and comes out of it.
  fileprivate var decodingFilters: (before: [PadFilter], after: [PadFilter]) {
    switch self {
    case .png: ([.decodablePNG], [])
    case .jpeg: ([.decodableJPEG], [])
    case .h264, .hevc: ([.knownPixels], [])
    case .flac: ([.decodableFLAC], [.steadyFLAC])
    default: ([], [])
    }
  }

  /// The decoders of so many channels, best first.
  fileprivate func decoders(ofChannels channels: Int) -> [ElementSpec] {
    // GStreamer's own (1.22) has seven and eight in an order that the format no longer has.
    self == .flac && channels > 6 ? [libav("avdec_flac")] : decoders
  }

  /// What comes before any decoder of Opus, and after it.
  ///
  /// A file's header says the rate of what was encoded (RFC 7845, 5.1). `opusdec` takes it for its
  /// own: it refuses what Opus hasn't, 44,100 Hz above all, and decodes to the others. All of Opus
  /// has 48,000.
  fileprivate static var opusElements: (before: [ElementSpec], after: [ElementSpec]) {
    let rate = "rate=(int)48000"
    return (
      [ElementSpec("capssetter", plugin: "debug", ["caps": "audio/x-opus, \(rate)"])],
      [ElementSpec("capsfilter", plugin: "coreelements", ["caps": "audio/x-raw, \(rate)"])]
    )
  }

  private var decoders: [ElementSpec] {
    switch self {
    case .h264: [libav("avdec_h264"), ElementSpec("openh264dec", plugin: "openh264")]
    case .hevc: [libav("avdec_h265"), ElementSpec("libde265dec", plugin: "de265")]
    case .vp8: [ElementSpec("vp8dec", plugin: "vpx"), libav("avdec_vp8")]
    case .vp9: [ElementSpec("vp9dec", plugin: "vpx"), libav("avdec_vp9")]
    case .av1: [ElementSpec("dav1ddec", plugin: "dav1d"), ElementSpec("av1dec", plugin: "aom")]
    case .mpeg4: [libav("avdec_mpeg4")]
    // The other one keeps the last frames to itself.
    case .mpeg2: [libav("avdec_mpeg2video"), ElementSpec("mpeg2dec", plugin: "mpeg2dec")]
    // GStreamer's own (1.22) takes 4:4:4 for 4:2:2 where it is written as ffmpeg does it.
    case .jpeg: [.libavVideo("avdec_mjpeg"), ElementSpec("jpegdec", plugin: "jpeg")]
    case .png: [ElementSpec("pngdec", plugin: "png"), .libavVideo("avdec_png")]
    case .aac: [libav("avdec_aac"), ElementSpec("faad", plugin: "faad")]
    case .mp3: [ElementSpec("mpg123audiodec", plugin: "mpg123"), libav("avdec_mp3")]
    // Without it, channels that their encoder had turned over come out as they aren't.
    case .opus:
      [ElementSpec("opusdec", plugin: "opus", ["phase-inversion": "true"]), libav("avdec_opus")]
    case .vorbis: [ElementSpec("vorbisdec", plugin: "vorbis")]
    case .flac: [ElementSpec("flacdec", plugin: "flac"), libav("avdec_flac")]
    case .alac: [libav("avdec_alac")]
    case .ac3: [ElementSpec("a52dec", plugin: "a52dec"), libav("avdec_ac3")]
    default: rarerDecoders
    }
  }

  /// Those of what is only read.
  private var rarerDecoders: [ElementSpec] {
    switch self {
    // It takes a frame in pieces, as a file without a parser gives it.
    case .bmp: [ElementSpec("gdkpixbufdec", plugin: "gdkpixbuf")]
    case .prores: [libav("avdec_prores")]
    case .dnxhd: [libav("avdec_dnxhd")]
    case .theora: [ElementSpec("theoradec", plugin: "theora")]
    case .sorenson: [libav("avdec_flv")]
    case .eac3: [libav("avdec_eac3")]
    case .dts: [libav("avdec_dca"), ElementSpec("dtsdec", plugin: "dtsdec")]
    case .mp2: [ElementSpec("mpg123audiodec", plugin: "mpg123"), libav("avdec_mp2float")]
    case .alaw: [ElementSpec("alawdec", plugin: "alaw"), libav("avdec_pcm_alaw")]
    case .mulaw: [ElementSpec("mulawdec", plugin: "mulaw"), libav("avdec_pcm_mulaw")]
    case .adpcm: [ElementSpec("adpcmdec", plugin: "adpcmdec")]
    case .wavpack: [ElementSpec("wavpackdec", plugin: "wavpack")]
    default: []
    }
  }

  private func libav(_ factory: String) -> ElementSpec { ElementSpec(factory, plugin: "libav") }
}

extension NodeError {
  /// Nothing that is installed decodes media of some caps. Where a package with further decoders
  /// isn't installed, it may have one.
  fileprivate static func noDecoder(of caps: String, in environment: any Environment) -> NodeError {
    let packages = [
      ("gstreamer1.0-libav", ElementSpec("avdec_ape", plugin: "libav")),
      ("gstreamer1.0-plugins-good", ElementSpec("speexdec", plugin: "speex")),
      ("gstreamer1.0-plugins-bad", ElementSpec("musepackdec", plugin: "musepack")),
      ("gstreamer1.0-plugins-ugly", ElementSpec("amrnbdec", plugin: "amrnb")),
    ]
    let name = caps.prefix { $0 != "," }
    if name.hasSuffix("/x-unknown") {
      return NodeError(
        "the stream is of a codec that GStreamer's reader of such files doesn't know",
        remedy: "convert the file, for example with ffmpeg", key: "in")
    }
    let missing = packages.filter { !environment.isInstalled($0.1) }.map(\.0)
    return NodeError(
      "no GStreamer element that is installed decodes \(name)",
      remedy: missing.isEmpty
        ? "convert the file, for example with ffmpeg"
        : "install \(missing.joined(separator: ", ")), or convert the file", key: "in")
  }
}

extension MediaTime {
  /// The length of some frames; at 24 a second where the rate isn't known.
  static func frames(_ count: Int, at rate: Rational?) -> MediaTime {
    let rate = rate ?? Rational(24)
    guard rate.numerator > 0, let timescale = Int32(exactly: rate.numerator) else { return .zero }
    return MediaTime(value: Int64(count * rate.denominator), timescale: timescale)
  }
}
