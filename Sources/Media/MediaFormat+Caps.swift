extension MediaFormat {
  /// The format's fixed caps, as `gst_caps_from_string` reads them.
  ///
  /// Of encoded media they name the codec and what this format knows of it; what only the stream
  /// knows (`codec_data`, `stream-format`) isn't in them.
  public var capsText: String {
    switch self {
    case .audio(let audio): audio.capsText
    case .video(let video): video.capsText
    case .encoded(let encoded): encoded.capsText
    case .peaks(let peaks): peaks.capsText
    case .measurement: Self.measurementType
    case .other(let caps): caps
    }
  }

  /// The format that fixed caps describe, as `gst_caps_to_string` prints them.
  ///
  /// Only the first structure counts, and fields of no interest are passed over. Whatever GraphKit
  /// has no words for, be it a media type, a pixel format or another machine's byte order, becomes
  /// ``other(caps:)``.
  public init(capsText: String) {
    let structure = CapsStructure.all(in: capsText)?.first
    self = structure.flatMap(Self.known) ?? .other(caps: capsText)
  }

  static let measurementType = "application/x-graphkit-measurement"

  private static func known(_ structure: CapsStructure) -> MediaFormat? {
    guard structure.isInSystemMemory else { return nil }
    switch structure.name {
    case "audio/x-raw": return AudioFormat(structure).map(MediaFormat.audio)
    case "video/x-raw": return VideoFormat(structure).map(MediaFormat.video)
    case PeaksFormat.mediaType: return PeaksFormat(structure).map(MediaFormat.peaks)
    case measurementType: return .measurement
    default: return EncodedFormat(structure).map(MediaFormat.encoded)
    }
  }
}

extension AudioFormat {
  var capsText: String {
    var caps = CapsText("audio/x-raw")
    caps.add("format", "string", anyOf: [sampleFormat.capsName])
    caps.add("layout", "string", anyOf: [layout.capsName])
    caps.add("rate", sampleRate)
    caps.add("channels", channels)
    if channels > 2 {
      caps.add("channel-mask", "bitmask", anyOf: [speakers.capsText])
    }
    return caps.text
  }

  package init?(_ structure: CapsStructure) {
    guard let sampleFormat = SampleFormat(capsName: structure.text("format")),
      let layout = ChannelLayout(capsName: structure.text("layout") ?? "interleaved"),
      let rate = structure.size("rate"), let channels = structure.size("channels")
    else { return nil }
    let mask = structure.text("channel-mask").flatMap { UInt64($0.dropFirst(2), radix: 16) }
    self.init(
      sampleFormat, sampleRate: rate, channels: channels, layout: layout,
      speakers: mask.flatMap { Speakers(capsMask: $0) })
  }
}

extension VideoFormat {
  var capsText: String {
    var caps = CapsText("video/x-raw")
    caps.add("format", "string", anyOf: [pixelFormat.capsName])
    caps.add("width", width)
    caps.add("height", height)
    caps.add("pixel-aspect-ratio", pixelAspectRatio)
    caps.add("framerate", frameRate ?? Rational(0))
    caps.add("colorimetry", "string", anyOf: colorimetry.isEmpty ? [] : [colorimetry])
    return caps.text
  }

  package init?(_ structure: CapsStructure) {
    guard let pixelFormat = PixelFormat(capsName: structure.text("format")),
      let width = structure.size("width"), let height = structure.size("height")
    else { return nil }
    self.init(
      pixelFormat, width: width, height: height, frameRate: structure.fraction("framerate"),
      colorimetry: structure.text("colorimetry") ?? "")
    let shape = structure.fraction("pixel-aspect-ratio")
    pixelAspectRatio = shape == Rational(1) ? nil : shape
  }
}

extension EncodedFormat {
  var capsText: String {
    var caps = CapsText(codec.mediaType)
    for field in codec.tellingFields {
      caps.add(field.name, field.type, anyOf: [field.values[0]])
    }
    caps.add("rate", sampleRate)
    caps.add("channels", channels)
    caps.add("width", width)
    caps.add("height", height)
    caps.add("framerate", frameRate)
    return caps.text
  }

  package init?(_ structure: CapsStructure) {
    guard let codec = Codec(structure) else { return nil }
    self.init(codec)
    sampleRate = structure.size("rate")
    channels = structure.size("channels")
    width = structure.size("width")
    height = structure.size("height")
    frameRate = structure.fraction("framerate")
  }
}

extension PeaksFormat {
  static let mediaType = "application/x-graphkit-peaks"

  var capsText: String {
    var caps = CapsText(Self.mediaType)
    caps.add("rate", sampleRate)
    caps.add("channels", channels)
    caps.add("samples-per-pixel", samplesPerPixel)
    caps.add("reduction", "string", anyOf: [reduction.rawValue])
    return caps.text
  }

  package init?(_ structure: CapsStructure) {
    guard let rate = structure.size("rate"), let channels = structure.size("channels"),
      let samples = structure.size("samples-per-pixel"),
      let reduction = structure.text("reduction").flatMap(PeakReduction.init)
    else { return nil }
    self.init(
      sampleRate: rate, samplesPerPixel: samples, channels: channels, reduction: reduction)
  }
}

extension CapsStructure {
  /// A number above zero that caps can hold.
  package func size(_ field: String) -> Int? {
    integer(field).flatMap { (1...Int(Int32.max)).contains($0) ? $0 : nil }
  }
}

extension SampleFormat {
  package init?(capsName: String?) {
    guard let format = Self.allCases.first(where: { $0.capsName == capsName }) else { return nil }
    self = format
  }
}

extension ChannelLayout {
  package init?(capsName: String?) {
    guard let layout = Self.allCases.first(where: { $0.capsName == capsName }) else { return nil }
    self = layout
  }
}

extension PixelFormat {
  package init?(capsName: String?) {
    guard let format = Self.allCases.first(where: { $0.capsName == capsName }) else { return nil }
    self = format
  }
}
