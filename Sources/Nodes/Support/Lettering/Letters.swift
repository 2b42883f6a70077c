import GraphKit

/// A run of characters that was drawn: its pictures, and the distance to the next one on its right.
struct Letters: Sendable {
  /// The inside, and the offset of its upper left corner from the start of the baseline.
  var fill: (picture: Picture, corner: Corner)
  /// The outline, likewise; it belongs below all insides.
  var outline: (picture: Picture, corner: Corner)
  /// Pixels to the start of what follows.
  var advance: Int
}

/// Draws runs of characters, and keeps those that come again.
struct LetterCase: Sendable {
  let style: TextStyle
  private var kept: [String: Letters] = [:]
  /// The position of the mark that follows no text, by which text is measured.
  private var markStart: Double?

  /// The most runs that are kept.
  private static let capacity = 512
  /// The longest side of a drawing; what is longer is cut off, far beyond the frame.
  private static let longestSide = 16_384

  init(_ style: TextStyle) { self.style = style }

  /// The letters of some text in one line.
  mutating func letters(_ text: String) throws(NodeError) -> Letters {
    if let known = kept[text] { return known }
    if kept.count >= Self.capacity { kept = [:] }
    let letters = try draw(text)
    kept[text] = letters
    return letters
  }

  /// What is free around the text of a drawing.
  private var pad: Int { Int((style.size + 2 * style.outline).rounded(.up)) + 2 }
  /// The height of each of a drawing's three bands: inside, outline, and measure.
  private var band: Int { 2 * pad }
  private var baseline: Int { Int((style.size * 1.3 + style.outline).rounded(.up)) + 1 }

  private func drawing(of text: String) throws(NodeError) -> Picture {
    let content = TextStyle.escaped(text)
    let length = Double(text.unicodeScalars.count) * style.size * 1.3
    let limit = min(Self.longestSide, PictureFile.largestPixelCount / (3 * band))
    let width = Int(min(Double(limit), length + Double(3 * pad)))
    let hidden = "<tspan fill-opacity=\"0\">\(content)</tspan><tspan>|</tspan>"
    let bands = [
      style.element(content, x: pad, y: baseline, attributes: style.color.fill),
      style.element(
        content, x: pad, y: band + baseline,
        attributes: "fill=\"none\" \(style.outlineColor.stroke) stroke-linejoin=\"round\""
          + " stroke-width=\"\(style.outline * 2)\""),
      style.element(hidden, x: pad, y: 2 * band + baseline, attributes: "fill=\"#fff\""),
    ]
    let drawn = style.outline > 0 ? bands : [bands[0], bands[2]]
    return try SVGPicture.draw(drawn.joined(), width: width, height: 3 * band)
  }

  private mutating func draw(_ text: String) throws(NodeError) -> Letters {
    if markStart == nil { markStart = mark(in: try drawing(of: "")) }
    let picture = try drawing(of: text)
    // Text that is too long to be measured is cut off at the drawing's edge.
    let advance = mark(in: picture).map { $0 - (markStart ?? $0) } ?? Double(picture.width)
    return Letters(
      fill: cut(picture, band: 0), outline: cut(picture, band: 1),
      advance: Int(advance.rounded()))
  }

  /// The middle of the mark's ink, from the left.
  private func mark(in picture: Picture) -> Double? {
    var (sum, weighted) = (0, 0)
    for row in 2 * band..<min(3 * band, picture.height) {
      for column in 0..<picture.width {
        let alpha = Int(picture.pixels[(row * picture.width + column) * 4 + 3])
        sum += alpha
        weighted += alpha * column
      }
    }
    return sum > 0 ? Double(weighted) / Double(sum) : nil
  }

  /// The ink of a band, without what is free around it.
  private func cut(_ picture: Picture, band index: Int) -> (picture: Picture, corner: Corner) {
    let rows = index * band..<min((index + 1) * band, picture.height)
    guard let (columns, inked) = picture.ink(in: rows) else {
      return (Picture(width: 0, height: 0), Corner(x: 0, y: 0))
    }
    return (
      picture.cropped(columns: columns, rows: inked).premultiplied,
      Corner(
        x: columns.lowerBound - pad, y: inked.lowerBound - index * band - baseline)
    )
  }
}

extension Picture {
  /// The columns and rows that hold all that isn't transparent in some rows; `nil` for none.
  func ink(in rows: Range<Int>) -> (columns: Range<Int>, rows: Range<Int>)? {
    var (left, right, top, bottom) = (width, -1, height, -1)
    for row in rows {
      for column in 0..<width where pixels[(row * width + column) * 4 + 3] != 0 {
        (left, right) = (min(left, column), max(right, column))
        (top, bottom) = (min(top, row), max(bottom, row))
      }
    }
    return right < 0 ? nil : (left..<right + 1, top..<bottom + 1)
  }
}
