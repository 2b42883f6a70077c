import GraphKit

/// Lines of text, set into one picture.
struct TextBlock: Sendable {
  /// How lines of different lengths lie below each other.
  enum Alignment: String, CaseIterable, Sendable { case left, center, right }

  /// What surrounds the letters.
  struct Surroundings: Hashable, Sendable {
    var background = RGBA(rgb: 0, alpha: 0)
    /// Pixels by which a shadow lies to the right and below; 0 for none.
    var shadow = 0
  }

  /// The picture. It is larger than the text: letters may lean out of their lines.
  let picture: Picture
  /// What is free in the picture at each side of the text.
  let inset: Int
  /// The width of the text with its outline or background.
  var width: Int { picture.width - 2 * inset }
  /// The height of the text with its outline or background.
  var height: Int { picture.height - 2 * inset }

  private static let shadowColor = RGBA(rgb: 0, alpha: 160)

  /// Sets lines.
  init(
    _ lines: [[TextTemplate.Piece]], in letterCase: inout LetterCase, alignment: Alignment,
    _ surroundings: Surroundings
  ) throws(NodeError) {
    let style = letterCase.style
    var set: [(letters: [Letters], width: Int)] = []
    for line in lines {
      let letters = try Self.letters(line, in: &letterCase)
      set.append((letters, letters.reduce(0) { $0 + $1.advance }))
    }
    let border =
      Int(style.outline.rounded(.up))
      + (surroundings.background.isClear ? 0 : Int((style.size / 3).rounded()))
    let width = (set.map(\.width).max() ?? 0) + 2 * border
    let height = style.lineHeight * lines.count + 2 * border
    inset = Int(style.size.rounded(.up)) + surroundings.shadow
    var canvas = Self.canvas(width + 2 * inset, height + 2 * inset)
    if !surroundings.background.isClear {
      canvas.put(
        Picture((width, height), surroundings.background), at: Corner(x: inset, y: inset))
    }
    let corner = Corner(x: inset + border, y: inset + border)
    let placed = Self.placed(
      set, width: width - 2 * border, alignment,
      from: corner + Corner(x: 0, y: style.ascent), lineHeight: style.lineHeight)
    Self.draw(placed, shadow: surroundings.shadow, on: &canvas)
    picture = canvas
  }

  /// What is to be drawn on; of text that is larger than any frame, the beginning.
  private static func canvas(_ width: Int, _ height: Int) -> Picture {
    let width = min(width, 16_384)
    return Picture(width: width, height: min(height, PictureFile.largestPixelCount / width))
  }

  /// The letters with the start of each one's baseline.
  private static func placed(
    _ lines: [(letters: [Letters], width: Int)], width: Int, _ alignment: Alignment,
    from start: Corner, lineHeight: Int
  ) -> [(Letters, Corner)] {
    var placed: [(Letters, Corner)] = []
    for (index, line) in lines.enumerated() {
      let room = width - line.width
      var x = start.x + (alignment == .left ? 0 : alignment == .right ? room : room / 2)
      for letters in line.letters {
        placed.append((letters, Corner(x: x, y: start.y + index * lineHeight)))
        x += letters.advance
      }
    }
    return placed
  }

  private static func letters(
    _ line: [TextTemplate.Piece], in letterCase: inout LetterCase
  ) throws(NodeError) -> [Letters] {
    var letters: [Letters] = []
    for piece in line {
      guard piece.changes else {
        letters.append(try letterCase.letters(piece.text))
        continue
      }
      for character in piece.text { letters.append(try letterCase.letters(String(character))) }
    }
    return letters
  }

  /// Shadows lie below outlines, and these below all insides.
  private static func draw(
    _ placed: [(Letters, Corner)], shadow: Int, on canvas: inout Picture
  ) {
    if shadow > 0 {
      for (letters, corner) in placed {
        let moved = Corner(x: corner.x + shadow, y: corner.y + shadow)
        for part in [letters.outline, letters.fill] where part.picture.width > 0 {
          canvas.blend(part.picture.tinted(shadowColor), at: moved + part.corner)
        }
      }
    }
    for (letters, corner) in placed {
      canvas.blend(letters.outline.picture, at: corner + letters.outline.corner)
    }
    for (letters, corner) in placed {
      canvas.blend(letters.fill.picture, at: corner + letters.fill.corner)
    }
  }
}

extension Corner {
  /// The place that lies as far from one place as another one lies from the frame's corner.
  static func + (a: Corner, b: Corner) -> Corner { Corner(x: a.x + b.x, y: a.y + b.y) }
}

extension Picture {
  /// A picture of one colour.
  init(_ size: (width: Int, height: Int), _ color: RGBA) {
    let pixel = Picture(
      width: 1, height: 1,
      pixels: [16, 8, 0].map { UInt8(truncatingIfNeeded: color.rgb >> $0) }
        + [UInt8(truncatingIfNeeded: color.alpha)]
    ).premultiplied.pixels
    let pixels = repeatElement(pixel, count: size.width * size.height).joined()
    self.init(
      width: size.width, height: size.height, pixels: Array(pixels), isPremultiplied: true)
  }
}
