import GraphKit

/// Lines of text, set into one picture.
struct TextBlock: Sendable {
  /// How lines of different lengths lie below each other.
  enum Alignment: String, CaseIterable, Sendable { case left, center, right }

  /// What surrounds the letters.
  struct Surroundings: Hashable, Sendable {
    var background = RGBA(rgb: 0, alpha: 0)
    /// Pixels by which a shadow is shifted to the right and down; 0 for none.
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

  private static let longestSide = 16_384
  /// The characters that are drawn as one, with their kerning. A long row costs the square of its
  /// length, since all its letters are one path.
  private static let longestRun = 100
  private static let shadowColor = RGBA(rgb: 0, alpha: 160)

  /// Sets lines.
  init(
    _ lines: [[TextTemplate.Piece]], in letterCase: inout LetterCase, alignment: Alignment,
    _ surroundings: Surroundings
  ) throws(NodeError) {
    let style = letterCase.style
    let set = try Self.drawn(lines, in: &letterCase)
    let border =
      Int(style.outline.rounded(.up))
      + (surroundings.background.isClear ? 0 : Int((style.size / 3).rounded()))
    let width = (set.map(\.width).max() ?? 0) + 2 * border
    let height = style.lineHeight * lines.count + 2 * border
    inset = Int(style.size.rounded(.up)) + surroundings.shadow
    var canvas = Self.canvas(width + 2 * inset, height + 2 * inset)
    if !surroundings.background.isClear {
      let size = (min(width, canvas.width), min(height, canvas.height))
      canvas.put(Picture(size, surroundings.background), at: Corner(x: inset, y: inset))
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
    let width = min(width, longestSide)
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

  /// The letters of each line down to the end of the canvas, whose width can only grow.
  private static func drawn(
    _ lines: [[TextTemplate.Piece]], in letterCase: inout LetterCase
  ) throws(NodeError) -> [(letters: [Letters], width: Int)] {
    var drawn: [(letters: [Letters], width: Int)] = []
    var widest = 1
    for line in lines {
      let top = drawn.count * letterCase.style.lineHeight
      guard top <= PictureFile.largestPixelCount / widest else { break }
      let letters = try letters(line, in: &letterCase)
      drawn.append((letters, letters.reduce(0) { $0 + $1.advance }))
      widest = max(widest, min(drawn.last?.width ?? 1, longestSide))
    }
    return drawn
  }

  private static func letters(
    _ line: [TextTemplate.Piece], in letterCase: inout LetterCase
  ) throws(NodeError) -> [Letters] {
    var letters: [Letters] = []
    var end = 0
    for piece in line {
      let runs = piece.changes ? piece.text.map(String.init) : piece.text.runs(of: longestRun)
      for run in runs where end <= longestSide {
        letters.append(try letterCase.letters(run))
        end += letters.last?.advance ?? 0
      }
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

extension String {
  /// The text in runs of about so many characters, cut after a space where there is one.
  func runs(of length: Int) -> [String] {
    var (runs, run, count) = ([String](), "", 0)
    for character in self {
      run.append(character)
      count += character.unicodeScalars.count
      guard count >= length, character == " " || count >= 2 * length else { continue }
      runs.append(run)
      (run, count) = ("", 0)
    }
    return run.isEmpty ? runs : runs + [run]
  }
}

extension Corner {
  /// One place moved by another's offset from the frame's corner.
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
