/// A colour with straight alpha, each channel of 8 bits.
struct RGBA: Hashable, Sendable {
  /// Red, green and blue, in the lower 24 bits.
  var rgb: UInt32
  /// 255 is opaque.
  var alpha: UInt32

  /// A colour.
  init(rgb: UInt32, alpha: UInt32) {
    self.rgb = rgb
    self.alpha = alpha
  }

  /// A colour from `rrggbb` or `rrggbbaa`, with or without `#`; `nil` where the text is neither.
  init?(_ text: some StringProtocol) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.count == 6 || digits.count == 8, digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    rgb = digits.count == 6 ? value : value >> 8
    alpha = digits.count == 6 ? 255 : value & 255
  }

  /// Colours from text with commas between them; `nil` where one is none.
  static func list(_ text: String) -> [RGBA]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let colors = parts.compactMap { part in
      let end = part.lastIndex { $0 != " " }.map { part.index(after: $0) } ?? part.startIndex
      return RGBA(part[..<end].drop { $0 == " " })
    }
    return colors.count == parts.count ? colors : nil
  }

  /// The colour as one number, red in the highest byte and alpha in the lowest.
  var bytes: UInt32 { rgb << 8 | alpha }

  /// Whether nothing shows through.
  var isOpaque: Bool { alpha == 255 }

  /// Whether nothing is to be seen.
  var isClear: Bool { alpha == 0 }

  /// The colour as attributes of an SVG shape (SVG 1.1, section 11.3).
  var fill: String { attributes("fill") }

  /// The colour as attributes of an SVG line.
  var stroke: String { attributes("stroke") }

  private func attributes(_ name: String) -> String {
    let digits = String(rgb, radix: 16)
    let color = "\(name)=\"#\(String(repeating: "0", count: 6 - digits.count))\(digits)\""
    guard !isOpaque else { return color }
    let thousandths = String((alpha * 1000 + 127) / 255)
    let decimals = String(repeating: "0", count: 3 - thousandths.count) + thousandths
    return "\(color) \(name)-opacity=\".\(decimals)\""
  }
}
