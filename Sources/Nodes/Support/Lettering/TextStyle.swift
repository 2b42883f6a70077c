import GraphKit

/// How text looks.
struct TextStyle: Sendable, Hashable {
  var font = "sans-serif"
  /// The font's size in pixels.
  var size = 32.0
  var isBold = false
  var isItalic = false
  var color = RGBA(rgb: 0xFF_FFFF, alpha: 255)
  /// The outline's width in pixels.
  var outline = 0.0
  var outlineColor = RGBA(rgb: 0, alpha: 255)

  /// Pixels from one baseline to the next.
  var lineHeight: Int { Int((size * 1.2).rounded(.up)) }
  /// Pixels from a line's upper edge to its baseline.
  var ascent: Int { Int((size * 0.95).rounded(.up)) }

  /// Text as an element of SVG, with its baseline's start at a place.
  func element(_ content: String, x: Int, y: Int, attributes: String) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" xml:space=\"preserve\" font-family=\"\(Self.escaped(font))\""
      + " font-size=\"\(size)\" font-weight=\"\(isBold ? "bold" : "normal")\""
      + " font-style=\"\(isItalic ? "italic" : "normal")\" \(attributes)>\(content)</text>"
  }

  /// Text as XML has it: what would be markup is escaped, and characters that XML doesn't allow
  /// (XML 1.0, section 2.2) become spaces.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Draws SVG into pictures, by librsvg.
enum SVGPicture {
  /// The elements that draw.
  static let elements = [librsvg] + PictureDecoding.elements
  private static let librsvg = ElementSpec("rsvgdec", plugin: "rsvg")

  /// The picture of a drawing, of its own size.
  static func draw(_ content: String, width: Int, height: Int) throws(NodeError) -> Picture {
    let svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\">"
      + content + "</svg>"
    do throws(PictureDecoding.Failure) {
      let drawn = try PictureDecoding.pictures(
        of: [.init(Array(svg.utf8))], caps: "image/svg+xml, framerate=0/1", through: [librsvg],
        limit: PictureFile.largestPixelCount)
      return Picture(width: width, height: height, pixels: drawn.first?.bytes ?? [])
    } catch {
      switch error {
      case .missing(let factory): throw missing(factory)
      case .tooLarge: throw tooLarge
      case .failed(let text):
        throw NodeError(
          "the text can't be drawn: \(text)", remedy: "give other text", key: "text")
      }
    }
  }

  /// What is said where an element isn't there.
  static func missing(_ factory: String) -> NodeError {
    NodeError(
      "text needs the GStreamer element `\(factory)`",
      remedy: "install gstreamer1.0-plugins-base and gstreamer1.0-plugins-bad")
  }

  private static let tooLarge = NodeError(
    "the text is too long or too large to be drawn", remedy: "give less text or a smaller `size`",
    key: "text")
}
