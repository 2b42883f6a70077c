import GraphKit
import Kernels

/// Text as a picture.
struct TextBlock: Sendable {
  let picture: Picture
  /// The picture's upper left corner, seen from that of the text: letters may lean out of it.
  let corner: Corner
  /// The width of the text with its outline or background.
  let width: Int
  /// The height of the text with its outline or background.
  let height: Int

  /// Draws text.
  init(_ text: String, _ look: TextLook) throws(NodeError) {
    do {
      let drawn = try TextRenderer.shared().draw(
        text, look, maximumPixelCount: PictureFile.largestPixelCount)
      picture = Picture(
        width: drawn.width, height: drawn.height, pixels: drawn.pixels, isPremultiplied: true)
      corner = Corner(x: drawn.corner.x, y: drawn.corner.y)
      (width, height) = drawn.box
    } catch {
      throw Self.problem(error)
    }
  }

  /// What a warning says of a font; `nil` where it is installed.
  static func fontWarning(_ font: String) throws(NodeError) -> String? {
    let state: TextRenderer.FontState
    do { state = try TextRenderer.shared().state(ofFont: font) } catch { throw problem(error) }
    switch state {
    case .installed: return nil
    case .replaced: return "the font `\(font)` isn't installed; another font is used instead"
    case .noFonts:
      throw NodeError(
        "there are no fonts on this machine", remedy: "install one, such as fonts-dejavu-core",
        key: "font")
    }
  }

  /// What a user reads of a failure.
  static func problem(_ failure: TextRenderer.Failure) -> NodeError {
    switch failure {
    case .missing(let library):
      NodeError("text needs the library `\(library)`", remedy: "install libpangocairo-1.0-0")
    case .failed:
      NodeError(
        "there isn't enough memory to draw the text",
        remedy: "give less text or a smaller `size`", key: "text")
    }
  }
}

extension Corner {
  /// One place moved by another's offset from the frame's corner.
  static func + (a: Corner, b: Corner) -> Corner { Corner(x: a.x + b.x, y: a.y + b.y) }
}
