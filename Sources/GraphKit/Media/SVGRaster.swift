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
  /// where the drawing is opaque.
  package static func png(ofSVG drawing: String, isOpaque: Bool) throws(NodeError) -> [UInt8] {
    Library.start(plugins: Set(elements.compactMap(\.plugin)))
    let format = isOpaque ? "RGB" : "RGBA"
    let steps = elements.map { element in
      Conversion.Step(
        element.factory,
        element.factory == "capsfilter" ? ["caps": "video/x-raw, format=\(format)"] : [:])
    }
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
