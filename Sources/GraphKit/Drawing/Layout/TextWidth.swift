/// About how wide a text is, without a font at hand.
///
/// The widths are those of DejaVu Sans, the widest of the fonts that a page is likely to use, so
/// a box made by them holds its text in any.
enum TextWidth {
  static func of(_ text: String, size: Double, isBold: Bool = false) -> Double {
    let units = text.reduce(0.0) { $0 + width(of: $1) }
    return units * size * (isBold ? 1.1 : 1)
  }

  private static func width(of character: Character) -> Double {
    switch character {
    case "i", "l", "j", "'", "|", "I": 0.29
    case " ", ".", ",", ":", ";", "f", "t", "r", "/", "-", "(", ")", "!": 0.38
    case "m", "w", "M", "W", "@", "%", "…", "—": 0.96
    case "A"..."Z": 0.69
    case _ where character.utf8.count > 2: 1.05
    default: 0.61
    }
  }
}
