import GraphKit

/// Fails the run at encoded video of which GStreamer (1.22) has no name for the pixels: where libav
/// decodes into memory of GStreamer's, its decoders then take a size for that from memory that nobody
/// has written, and crash.
struct KnownPixels: StreamFilter {
  private var format: FormatDescription?

  mutating func pass(_ sample: inout SampleBuffer) throws(NodeError) -> Bool {
    let new = sample.format
    if new !== format {
      // Packets go on to come until the run has ended: none of them gets to the decoder.
      try Self.check(new.capsText)
      format = new
    }
    return true
  }

  /// What caps say of a stream: all of it after a parser, and the profile before one, too.
  private static func check(_ capsText: String) throws(NodeError) {
    guard let caps = CapsStructure.all(in: capsText)?.first else { return }
    let profile = caps.text("profile") ?? ""
    let isGray = profile.hasPrefix("monochrome") || caps.text("chroma-format") == "4:0:0"
    let stated = caps.text("bit-depth-luma") ?? (isGray ? "\(profile.suffix(2))" : nil)
    guard let depth = stated.flatMap({ Int($0) }), depth != 8 else { return }
    // H.264 in gray comes with colours, which are neutral.
    guard isGray && caps.name == "video/x-h265" || ![10, 12].contains(depth) else { return }
    throw NodeError(
      "\(isGray ? "gray video" : "video") of \(depth) bits can't be decoded",
      remedy: "convert the file, for example with ffmpeg -pix_fmt yuv420p10le", key: "in")
  }
}

extension PadFilter {
  /// Fails the run at H.264 or HEVC of which GStreamer has no name for the pixels.
  static let knownPixels = PadFilter.stream { KnownPixels() }

  /// The same for pictures in JPEG.
  static let decodableJPEG = PadFilter.samples { packet in
    guard let problem = packet.withBytes(JPEGMarkers.samplingProblem) else { return }
    let place = packet.presentationTime.isNumeric ? " at \(packet.presentationTime)" : ""
    throw NodeError(
      "a JPEG picture\(place) \(problem), and can't be decoded",
      remedy: "convert the file, for example with ffmpeg -pix_fmt yuv420p", key: "in")
  }
}

extension ElementSpec {
  /// libav's decoder of video that may have pixels for which GStreamer has no name. It decodes into memory
  /// of its own, so that it refuses such pixels rather than crash; that costs a copy.
  static func libavVideo(_ factory: String) -> ElementSpec {
    ElementSpec(factory, plugin: "libav").decodingAnyPixels
  }

  /// The same of a decoder that the registry has found.
  var decodingAnyPixels: ElementSpec {
    guard factory.hasPrefix("avdec_"), !changesLastFrame else { return self }
    var decoder = self
    decoder.properties["direct-rendering"] = "false"
    return decoder
  }

  /// Whether it is a decoder that goes on painting the frame before. In memory of its own each frame would
  /// be presented when the first was. Its pixels all have names.
  private var changesLastFrame: Bool {
    ["cinepak", "flashsv", "msrle", "msvideo1", "qtrle", "rpza", "smc"]
      .contains { factory == "avdec_\($0)" }
  }
}
