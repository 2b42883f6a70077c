import GraphKit

/// Whether a font is there.
///
/// The renderer doesn't report a font that it replaced. So text is drawn twice, with fallback fonts
/// of two different kinds: where both pictures are the same, the font is installed.
enum FontProbe {
  /// Names that stand for a kind of font, of which there always is one.
  private static let kinds = ["sans-serif", "serif", "monospace", "cursive", "fantasy", "sans"]

  /// What a warning says of a font; `nil` where it is installed.
  static func warning(_ font: String) throws(NodeError) -> String? {
    let plain = try draw("monospace")
    guard plain.ink(in: 0..<plain.height) != nil else {
      throw NodeError(
        "there are no fonts on this machine", remedy: "install one, such as fonts-dejavu-core",
        key: "font")
    }
    guard !kinds.contains(font.lowercased()) else { return nil }
    guard try draw("'\(font)', monospace") != draw("'\(font)', serif") else { return nil }
    return "the font `\(font)` isn't installed; another font is used instead"
  }

  private static func draw(_ fonts: String) throws(NodeError) -> Picture {
    var style = TextStyle()
    (style.font, style.size) = (fonts, 20)
    let text = style.element("mi0", x: 4, y: 24, attributes: "fill=\"#fff\"")
    return try SVGPicture.draw(text, width: 80, height: 32)
  }
}
