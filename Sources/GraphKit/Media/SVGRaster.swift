import GStreamer

/// Makes PNG pictures of SVG drawings: librsvg draws, and libpng writes.
package enum SVGRaster {
  /// The elements that do the work.
  package static let elements = [
    ElementSpec("rsvgdec", plugin: "rsvg"),
    ElementSpec("videoconvert", plugin: "videoconvertscale"),
    ElementSpec("capsfilter", plugin: "coreelements"),
    ElementSpec("pngenc", plugin: "png"),
  ]

  /// The longest side that the drawing library can do.
  package static let longestSide = 32_767

  /// The drawing as a PNG of its own size: 8 bits a channel, with straight alpha, or without alpha
  /// where the drawing is opaque. Compressed from 0, not at all, to 9; as libpng does by default
  /// where `nil`.
  package static func png(
    ofSVG drawing: String, isOpaque: Bool, compression: Int? = nil
  ) throws(NodeError) -> [UInt8] {
    Library.start(plugins: Set(elements.compactMap(\.plugin)))
    let properties = [
      "capsfilter": ["caps": "video/x-raw, format=\(isOpaque ? "RGB" : "RGBA")"],
      "pngenc": compression.map { ["compression-level": "\($0)"] } ?? [:],
    ]
    let steps = elements.map { Conversion.Step($0.factory, properties[$0.factory] ?? [:]) }
    do {
      return try Conversion.convert(
        Array(drawing.utf8), caps: "image/svg+xml, framerate=0/1", through: steps)
    } catch {
      switch error {
      case .missing(let factory): throw missing(factory)
      case .failed(let text):
        throw NodeError(
          "the picture can't be drawn: \(text)", remedy: "write SVG, or a smaller picture")
      }
    }
  }

  /// What is said where an element isn't there.
  package static func missing(_ factory: String) -> NodeError {
    NodeError(
      "PNG pictures need the GStreamer element `\(factory)`",
      remedy: "install gstreamer1.0-plugins-good and gstreamer1.0-plugins-bad, or write SVG",
      key: "path")
  }
}
