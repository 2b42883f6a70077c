/// How large the header of a file says its picture is, before anything is decoded.
struct PictureSize {
  let width: Int
  let height: Int

  /// `nil` where a file doesn't say it.
  init?(_ kind: PictureFile.Kind, _ bytes: [UInt8]) {
    let found: (Int, Int)? =
      switch kind {
      case .png: Self.numbers(bytes, at: (16, 20), bytes: 4, .big)
      case .jpeg: JPEGMarkers.size(bytes.span)
      case .gif: Self.numbers(bytes, at: (6, 8), bytes: 2, .little)
      case .webp: Self.webp(bytes)
      case .svg: SVGSize(bytes)?.pixels
      }
    guard let found else { return nil }
    (width, height) = found
  }

  /// By the first chunk (RFC 6386, section 9.1; RFC 9649, sections 2.7 and 3.4).
  private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
    switch String(decoding: bytes.dropFirst(12).prefix(4), as: UTF8.self) {
    case "VP8X": return numbers(bytes, at: (24, 27), bytes: 3, .little).map { ($0 + 1, $1 + 1) }
    case "VP8 ":
      return numbers(bytes, at: (26, 28), bytes: 2, .little).map { ($0 & 0x3fff, $1 & 0x3fff) }
    case "VP8L":
      return numbers(bytes, at: (21, 21), bytes: 4, .little).map { bits, _ in
        (1 + bits & 0x3fff, 1 + bits >> 14 & 0x3fff)
      }
    default: return nil
    }
  }

  private enum ByteOrder {
    case big
    case little
  }

  private static func numbers(
    _ bytes: [UInt8], at places: (Int, Int), bytes count: Int, _ order: ByteOrder
  ) -> (Int, Int)? {
    guard max(places.0, places.1) + count <= bytes.count else { return nil }
    func number(_ place: Int) -> Int {
      let digits = bytes[place..<place + count]
      let ordered = order == .big ? Array(digits) : digits.reversed()
      return ordered.reduce(0) { $0 << 8 | Int($1) }
    }
    return (number(places.0), number(places.1))
  }
}

/// The size at which an SVG is drawn, by the attributes of its first element (SVG 2, section 8.2).
private struct SVGSize {
  private let attributes: [Substring: Substring]

  /// The most bytes of a file that are looked at.
  private static let mostBytes = 65_536

  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes.prefix(Self.mostBytes), as: UTF8.self)
    guard let start = text.firstRange(of: "<svg")?.upperBound else { return nil }
    var (found, rest): ([Substring: Substring], Substring) = ([:], text[start...])
    while let equals = rest.firstIndex(where: { $0 == "=" || $0 == ">" }), rest[equals] == "=" {
      let name = rest[..<equals].trimmed
      rest = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
      guard let quote = rest.first, quote == "\"" || quote == "'",
        let end = rest.dropFirst().firstIndex(of: quote)
      else { break }
      found[name] = rest.dropFirst()[..<end].trimmed
      rest = rest[rest.index(after: end)...]
    }
    attributes = found
  }

  /// A side that isn't stated follows from the other by the shape of the coordinates that are shown, or is
  /// as long as these.
  var pixels: (Int, Int)? {
    let box =
      attributes["viewBox"]?.split { $0 == " " || $0 == "," }.compactMap { Double($0) } ?? []
    let isShape = box.count == 4 && box.allSatisfy(\.isFinite) && box[2] > 0 && box[3] > 0
    let shown = isShape ? (width: box[2], height: box[3]) : nil
    let width = attributes["width"].flatMap(Self.length)
    let height = attributes["height"].flatMap(Self.length)
    switch (width, height, shown) {
    case (let width?, let height?, _): return Self.whole(width, height)
    case (let width?, nil, let shown?):
      return Self.whole(width, width * shown.height / shown.width)
    case (nil, let height?, let shown?):
      return Self.whole(height * shown.width / shown.height, height)
    case (nil, nil, let shown?): return Self.whole(shown.width, shown.height)
    default: return nil
    }
  }

  /// Far more than any picture has is as good as that.
  private static func whole(_ width: Double, _ height: Double) -> (Int, Int)? {
    guard width.isFinite, height.isFinite else { return nil }
    return (Int(min(max(width, 0), 1e9)), Int(min(max(height, 0), 1e9)))
  }

  /// Pixels of a unit, of which an inch has 96 (CSS Values and Units 4, section 6.2), with the usual
  /// size of letters.
  private static let units = [
    "": 1, "px": 1, "pt": 96 / 72.0, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "em": 16,
    "ex": 8,
  ]

  private static func length(_ text: Substring) -> Double? {
    let unit = text.reversed().prefix(while: \.isLetter).count
    guard let factor = units[text.suffix(unit).lowercased()],
      let number = Double(text.dropLast(unit)),
      number.isFinite
    else { return nil }
    return number * factor
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start.dropLast(start.reversed().prefix(while: \.isWhitespace).count)
  }
}
