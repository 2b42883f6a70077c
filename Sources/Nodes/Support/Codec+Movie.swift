import Containers
import GraphKit

extension Codec {
  /// How a movie takes packets of the codec.
  var movieCaps: String {
    switch self {
    case .h264: "video/x-h264, stream-format=(string)avc, alignment=(string)au"
    case .hevc: "video/x-h265, stream-format=(string)hvc1, alignment=(string)au"
    case .aac:
      "audio/mpeg, mpegversion=(int){ 4, 2 }, stream-format=(string)raw, framed=(boolean)true"
    case .mp3: "audio/mpeg, mpegversion=(int)1, layer=(int)3"
    case .ac3: "audio/x-ac3, framed=(boolean)true, alignment=(string)frame"
    case .flac: "audio/x-flac, framed=(boolean)true"
    case .eac3: "audio/x-eac3, framed=(boolean)true, alignment=(string)iec61937"
    case .jpeg: "image/jpeg, parsed=(boolean)true"
    case .vp9: "video/x-vp9, parsed=(boolean)true, alignment=(string)super-frame"
    case .av1:
      "video/x-av1, parsed=(boolean)true, stream-format=(string)obu-stream, alignment=(string)tu"
    default: mediaType
    }
  }
}

extension MovieTrackFormat {
  /// The format of a track by that of its samples; `nil` where it lacks something.
  ///
  /// `lead` is what players skip of a copy, where its source says.
  init?(_ description: FormatDescription, lead: MediaTime?) {
    guard let caps = CapsStructure.all(in: description.capsText)?.first else { return nil }
    if description.format.kind == .text {
      self.init(.text)
      return
    }
    if case .audio(let audio) = description.format, audio.layout == .interleaved {
      self.init(.pcm(audio.sampleFormat))
      (sampleRate, channels) = (audio.sampleRate, audio.channels)
      speakers = audio.speakers
      return
    }
    guard case .encoded(let format) = description.format else { return nil }
    self.init(format.codec)
    masteringDisplay = Self.masteringDisplay(caps)
    contentLight = Self.contentLight(caps)
    (width, height) = (format.width ?? 0, format.height ?? 0)
    frameRate = format.frameRate
    (sampleRate, channels) = (format.sampleRate ?? 48_000, format.channels ?? 2)
    pixelAspectRatio = caps.text("pixel-aspect-ratio").flatMap(Rational.init(text:))
    color = caps.text("colorimetry").flatMap { ColorNumbers(colorimetry: $0) }
    let data = caps.text("codec_data").map(Self.bytes) ?? []
    switch format.codec {
    case .h264, .hevc, .aac:
      guard !data.isEmpty else { return nil }
      configuration = data
    case .alac:
      // QuickTime's own box around it may be there, too.
      configuration = data.count >= 36 ? Array(data[12..<36]) : data
      guard configuration.count >= 24 else { return nil }
    case .opus:
      configuration = OpusConfiguration(description.capsText, caps, format, lead: lead).bytes
    case .vp9:
      configuration = VP9Configuration(caps, color).bytes(
        width: width, height: height, frameRate: frameRate)
    // GStreamer's demuxer (1.22) leaves out the first bytes of what it reads from MP4 files.
    case .av1: configuration = data.first == 0x81 ? data : []
    case .prores:
      guard let letters = caps.text("variant").flatMap({ Self.variants[$0] }) else { return nil }
      variant = letters
    case .flac:
      guard let header = Self.flacHeader(in: description.capsText) else { return nil }
      configuration = header
      bitDepth = Int(header[16] & 1) << 4 | Int(header[17] >> 4) + 1
    default: break
    }
  }

  /// What `mdcv` holds (ISO/IEC 14496-12, 12.1.7): green, blue and red, white, and how bright. The
  /// caps have red first.
  private static func masteringDisplay(_ caps: CapsStructure) -> [UInt8] {
    let numbers = (caps.text("mastering-display-info") ?? "").split(separator: ":")
      .compactMap { UInt32($0) }
    guard numbers.count == 10 else { return [] }
    let places = Array(numbers[2..<6] + numbers[0..<2] + numbers[6..<8])
    return places.flatMap { [UInt8($0 >> 8 & 0xff), UInt8($0 & 0xff)] }
      + numbers[8...].flatMap { value in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
      }
  }

  /// What `clli` holds: the brightest pixel and the brightest frame.
  private static func contentLight(_ caps: CapsStructure) -> [UInt8] {
    let numbers = (caps.text("content-light-level") ?? "").split(separator: ":")
      .compactMap { UInt16($0) }
    return numbers.count == 2
      ? numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } : []
  }

  /// The kinds of ProRes, by their names in caps.
  private static let variants = [
    "proxy": "apco", "lt": "apcs", "standard": "apcn", "hq": "apch", "4444": "ap4h",
    "4444xq": "ap4x",
  ]

  static func bytes(_ digits: some StringProtocol) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count - 1, by: 2).map { index in
      UInt8(values[index] << 4 | values[index + 1])
    }
  }

  /// The digits of caps after some bytes of a stream's header.
  fileprivate static func bytes(after mark: String, count: Int, in capsText: String) -> [UInt8]? {
    guard let place = capsText.firstRange(of: mark) else { return nil }
    let found = bytes(capsText[place.upperBound...].prefix(2 * count))
    return found.count == count ? found : nil
  }

  /// The block that begins a stream of FLAC (RFC 9639, 8.2), as the only one of its kind.
  private static func flacHeader(in capsText: String) -> [UInt8]? {
    guard var block = bytes(after: "664c6143", count: 38, in: capsText), block[0] & 0x7f == 0 else {
      return nil
    }
    block[0] = 0x80
    return block
  }
}

extension VP9Configuration {
  fileprivate init(_ caps: CapsStructure, _ color: ColorNumbers?) {
    self.init()
    self.color = color
    profile = caps.text("profile").flatMap { Int($0) } ?? 0
    bitDepth = caps.text("bit-depth-luma").flatMap { Int($0) } ?? 8
    switch caps.text("chroma-format") {
    case "4:4:4", "4:4:0": subsampling = 3
    case "4:2:2": subsampling = 2
    default: subsampling = caps.text("chroma-site") == "mpeg2" ? 0 : 1
    }
  }
}

/// The contents of `dOps` (Encapsulation of Opus in ISO Base Media File Format, 4.3.2).
private struct OpusConfiguration {
  var bytes: [UInt8]

  /// From the header of a stream (RFC 7845, 5.1), whose numbers have their lowest byte first, or
  /// else from what the caps say.
  init(_ capsText: String, _ caps: CapsStructure, _ format: EncodedFormat, lead: MediaTime?) {
    // `OpusHead`
    if let head = MovieTrackFormat.bytes(after: "4f70757348656164", count: 11, in: capsText) {
      let channels = Int(head[1])
      bytes =
        [0, head[1], head[3], head[2]] + head[4..<8].reversed() + [head[9], head[8], head[10]]
      guard head[10] != 0,
        let mapping = MovieTrackFormat.bytes(
          after: "4f70757348656164", count: 13 + channels, in: capsText)
      else { return }
      bytes += mapping[11...]
      return
    }
    let skip = lead.flatMap { $0.frames(at: 48_000) } ?? 312
    let channels = format.channels ?? 2
    bytes = [0, UInt8(clamping: channels), UInt8(truncatingIfNeeded: skip >> 8)]
    bytes.append(UInt8(truncatingIfNeeded: skip))
    let rate = caps.text("rate").flatMap { Int($0) } ?? 48_000
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rate >> $0) } + [0, 0]
    let family = caps.text("channel-mapping-family").flatMap { Int($0) } ?? 0
    bytes.append(UInt8(clamping: family))
    guard family != 0 else { return }
    for name in ["stream-count", "coupled-count"] {
      bytes.append(UInt8(clamping: caps.text(name).flatMap { Int($0) } ?? 0))
    }
    bytes += Self.mapping(in: capsText, channels)
  }

  /// The streams of the channels, which the caps have as an array.
  private static func mapping(in capsText: String, _ channels: Int) -> [UInt8] {
    let text = capsText.firstRange(of: "channel-mapping=").map { capsText[$0.upperBound...] } ?? ""
    let list = text.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    let numbers = list.split(separator: ",").compactMap { word in
      word.split(separator: ")").last.flatMap { UInt8($0.filter { $0 != " " }) }
    }
    return numbers.count == channels ? numbers : (0..<channels).map { UInt8(clamping: $0) }
  }
}

extension Rational {
  fileprivate init?(text: String) {
    let parts = text.split(separator: "/").map { Int($0) }
    guard parts.count == 2, let numerator = parts[0], let denominator = parts[1], numerator > 0
    else { return nil }
    self.init(numerator, over: denominator)
  }
}
