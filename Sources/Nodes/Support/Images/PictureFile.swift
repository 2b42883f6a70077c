import GraphKit

/// A file with a picture: PNG, JPEG, WebP or SVG, recognised by its first bytes.
struct PictureFile {
  /// The most pixels that a picture may have: those of a frame of 8K, and some more.
  static let largestPixelCount = 40_000_000
  /// The most bytes that a file may have.
  static let largestByteCount = 64 << 20

  /// What kinds of file there are.
  enum Kind: String, CaseIterable {
    case png, jpeg, webp, svg, gif

    /// The kind that some bytes begin like.
    init?(_ bytes: [UInt8]) {
      if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        self = .png
      } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
        self = .jpeg
      } else if bytes.starts(with: "GIF8".utf8) {
        self = .gif
      } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
        self = .webp
      } else if String(decoding: bytes.prefix(2048), as: UTF8.self).contains("<svg") {
        self = .svg
      } else {
        return nil
      }
    }
  }

  /// The path.
  let path: String
  /// The file's bytes.
  let bytes: [UInt8]
  /// What they are.
  let kind: Kind

  /// Reads a file.
  init(_ path: String) throws(NodeError) {
    let file = try InputFile(path)
    guard file.byteCount <= Self.largestByteCount else {
      throw NodeError(
        "`\(path)` has \(file.byteCount) bytes, which are too many for a picture",
        remedy: "give a file of at most \(Self.largestByteCount >> 20) MiB", key: "path")
    }
    self.path = path
    bytes = try file.bytes(at: 0, count: file.byteCount)
    guard let kind = Kind(bytes) else {
      throw NodeError(
        "`\(path)` is no picture",
        remedy: "give a PNG, JPEG, WebP or SVG file", key: "path")
    }
    self.kind = kind
    if kind == .jpeg, !JPEGMarkers.areWhole(bytes) {
      throw .brokenPicture(path, "ends at byte \(bytes.count), before its end marker")
    }
    if kind == .jpeg, let problem = JPEGMarkers.samplingProblem(bytes.span) {
      throw NodeError(
        "`\(path)` \(problem), and can't be decoded",
        remedy: "save it as a JPEG in 4:2:0, or as a PNG", key: "path")
    }
    if kind == .png, let place = PNGChunks.end(of: bytes) {
      throw .brokenPicture(path, "ends or breaks at byte \(place)")
    }
  }

  /// The picture of a file that has one.
  static func picture(_ path: String) throws(NodeError) -> Picture {
    let file = try PictureFile(path)
    guard file.kind != .gif else {
      throw NodeError(
        "`\(path)` is a GIF", remedy: "lay it over with a `sticker`, which moves", key: "path")
    }
    let pictures = try file.decode([.init(file.bytes)], limit: largestPixelCount)
    guard let picture = pictures.first else { throw file.broken("nothing came out") }
    return picture
  }

  /// Decodes packets of the file's kind, each with its time in nanoseconds. What has more pixels than
  /// the limit by its header isn't decoded.
  func decode(
    _ packets: [PictureDecoding.EncodedPicture], limit: Int
  ) throws(NodeError) -> [Picture] {
    if let size = PictureSize(kind, bytes) {
      let (area, isTooMuch) = size.width.multipliedReportingOverflow(by: size.height)
      guard !isTooMuch, area <= limit / max(1, packets.count) else {
        let fitting = isTooMuch || area == 0 ? 0 : limit / area
        throw .tooLarge((size.width, size.height), of: path, after: fitting)
      }
    }
    do throws(PictureDecoding.Failure) {
      return try PictureDecoding.pictures(
        of: packets, caps: caps, through: decoders, limit: limit
      ).map { Picture(width: $0.width, height: $0.height, pixels: $0.bytes) }
    } catch {
      switch error {
      case .missing(let factory): throw Self.missing(factory)
      case .failed(let text): throw broken(text)
      case .tooLarge(let width, let height, let count):
        throw .tooLarge((width, height), of: path, after: count)
      }
    }
  }

  /// The elements that decode it.
  private var decoders: [ElementSpec] {
    switch kind {
    // GStreamer's own (1.22) moves the values of 16 bits by one, and knows no transparent colour.
    case .png where PNGChunks.areDeepOrKeyed(bytes):
      [ElementSpec("gdkpixbufdec", plugin: "gdkpixbuf")]
    case .png: [ElementSpec("pngdec", plugin: "png")]
    case .jpeg: Codec.jpeg.parsers + [.libavVideo("avdec_mjpeg")]
    case .webp: [ElementSpec("webpdec", plugin: "webp")]
    case .svg: [ElementSpec("rsvgdec", plugin: "rsvg")]
    case .gif: [.libavVideo("avdec_gif")]
    }
  }

  /// The caps of the file's bytes. A frame rate has the decoder take each packet as a picture.
  private var caps: String {
    switch kind {
    case .gif: "image/gst-libav-gif, parsed=true"
    case .svg: "image/svg+xml, framerate=0/1"
    case .webp: "image/webp, framerate=0/1"
    case .png, .jpeg: "image/\(kind.rawValue), framerate=25/1"
    }
  }

  private func broken(_ text: String) -> NodeError {
    NodeError(
      "`\(path)` can't be decoded: \(text)",
      remedy: "check that the file is whole, or save it anew", key: "path")
  }

  private static func missing(_ factory: String) -> NodeError {
    NodeError(
      "the picture needs the GStreamer element `\(factory)`",
      remedy: "install gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad and gstreamer1.0-libav",
      key: "path")
  }
}

extension NodeError {
  /// A picture of a file that has too many pixels, alone or with those before it.
  static func tooLarge(
    _ size: (width: Int, height: Int), of path: String, after count: Int
  ) -> NodeError {
    let limit = PictureFile.largestPixelCount / 1_000_000
    let pictures = count == 0 ? "a picture" : "more than \(count) pictures"
    return NodeError(
      "`\(path)` has \(pictures) of \(size.width)x\(size.height), which is too large",
      remedy: "make it smaller: at most \(limit) million pixels in all", key: "path")
  }
}
