import GStreamer

/// Makes PNG pictures of SVG drawings: librsvg draws, and libpng writes.
package enum SVGRaster {
  /// The elements that do the work.
  ///
  /// `pngenc` copies all that it has written for every 40 kB that follow. That is nothing where a
  /// picture is compressed, and minutes where it isn't, which `avenc_png` writes in one go.
  package static func elements(compression: Int?) -> [ElementSpec] {
    [
      ElementSpec("rsvgdec", plugin: "rsvg"),
      ElementSpec("videoconvert", plugin: "videoconvertscale"),
      ElementSpec("capsfilter", plugin: "coreelements"),
      compression == 0
        ? ElementSpec("avenc_png", plugin: "libav") : ElementSpec("pngenc", plugin: "png"),
    ]
  }

  /// The longest side that the drawing library can do.
  package static let longestSide = 32_767

  /// The drawing as a PNG of its own size: 8 bits a channel, with straight alpha, or without alpha
  /// where the drawing is opaque. Compressed from 0, not at all, to 9; as libpng does by default
  /// where `nil`.
  package static func png(
    ofSVG drawing: String, isOpaque: Bool, compression: Int? = nil
  ) throws(NodeError) -> [UInt8] {
    let elements = elements(compression: compression)
    Library.start(plugins: Set(elements.compactMap(\.plugin)))
    let level = compression.map { ["compression-level": "\($0)"] } ?? [:]
    let properties = [
      "capsfilter": ["caps": "video/x-raw, format=\(isOpaque ? "RGB" : "RGBA")"],
      "pngenc": level, "avenc_png": level,
    ]
    let steps = elements.map { Conversion.Step($0.factory, properties[$0.factory] ?? [:]) }
    do {
      return try Conversion.convert(
        Array(drawing.utf8), caps: "image/svg+xml, framerate=0/1", through: steps)
    } catch {
      let reason: String
      switch error {
      case .missing(let factory): throw missing(factory)
      case .failed(let text): reason = text
      case .tooLarge(let width, let height, _): reason = "\(width)x\(height) is too large"
      }
      throw NodeError(
        "the picture can't be drawn: \(reason)", remedy: "write SVG, or a smaller picture")
    }
  }

  /// What is said where an element isn't there.
  package static func missing(_ factory: String) -> NodeError {
    NodeError(
      "PNG pictures need the GStreamer element `\(factory)`",
      remedy: "install gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad and gstreamer1.0-libav, "
        + "or write SVG",
      key: "path")
  }
}
