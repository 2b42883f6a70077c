import GraphKit

/// The chunks of an animated PNG, made into one PNG for each of its parts (PNG specification, third
/// edition, section 11.3.6): libpng decodes these, and what is composed of them is done here.
struct AnimatedPNG {
  /// One part: where it goes, and how.
  struct Part {
    var width: Int
    var height: Int
    var corner: Corner
    var duration: Int64
    var disposal: UInt8
    /// Whether the part is blended over what is there, rather than put in its place.
    var isBlended: Bool
    var data: [[UInt8]] = []
  }

  private let path: String
  private let width: Int
  private let height: Int
  private var header: [UInt8] = []
  /// How many parts the file says that it has; `nil` where it says nothing of parts.
  private var partCount: Int?
  /// Chunks that all parts need, such as the palette.
  private var shared: [UInt8] = []
  private(set) var parts: [Part] = []
  /// How often all is shown; `nil` for ever.
  private(set) var plays: Int?

  /// Reads the chunks of a file that is whole; `nil` where the picture doesn't move.
  init?(_ bytes: [UInt8], path: String) throws(NodeError) {
    self.path = path
    var chunks = PNGChunks(bytes)
    guard let first = chunks.next(), first.type == "IHDR", first.data.count == 13 else {
      throw .brokenPicture(path, "has no header")
    }
    header = first.data
    (width, height) = (first.number(at: 0), first.number(at: 4))
    while let chunk = chunks.next() { try take(chunk) }
    parts.removeAll { $0.data.isEmpty }
    guard let partCount else { return nil }
    guard partCount == parts.count else {
      throw .brokenPicture(path, "has \(parts.count) parts and not \(partCount)")
    }
    if parts.isEmpty { return nil }
  }

  private mutating func take(_ chunk: PNGChunks.Chunk) throws(NodeError) {
    switch chunk.type {
    case "acTL":
      partCount = chunk.number(at: 0)
      plays = chunk.number(at: 4) == 0 ? nil : chunk.number(at: 4)
    case "fcTL": parts.append(try part(chunk))
    // A picture before the first part is for readers that know no animation.
    case "IDAT": if !parts.isEmpty { parts[parts.count - 1].data.append(chunk.data) }
    case "fdAT":
      if !parts.isEmpty { parts[parts.count - 1].data.append(Array(chunk.data.dropFirst(4))) }
    case "PLTE", "tRNS", "gAMA", "sRGB", "cHRM", "sBIT":
      shared += PNGChunks.chunk(chunk.type, chunk.data)
    default: break
    }
  }

  private func part(_ chunk: PNGChunks.Chunk) throws(NodeError) -> Part {
    let (size, corner) = (
      (width: chunk.number(at: 4), height: chunk.number(at: 8)),
      Corner(x: chunk.number(at: 12), y: chunk.number(at: 16))
    )
    guard chunk.data.count == 26, size.width > 0, size.height > 0,
      corner.x + size.width <= width, corner.y + size.height <= height
    else { throw .brokenPicture(path, "has a part that is larger than the whole") }
    let (over, under) = (chunk.number(at: 20, bytes: 2), chunk.number(at: 22, bytes: 2))
    let duration = Int64(over) * 1_000_000_000 / Int64(under == 0 ? 100 : under)
    return Part(
      width: size.width, height: size.height, corner: corner,
      duration: Animation.duration(duration), disposal: chunk.data[24],
      isBlended: chunk.data[25] == 1)
  }

  /// The pictures, each as large as the whole.
  func decode(with file: PictureFile) throws(NodeError) -> Animation {
    let limit = PictureFile.largestPixelCount
    let (area, isTooMuch) = width.multipliedReportingOverflow(by: height)
    guard !isTooMuch, area <= limit / max(1, parts.count) else {
      throw .tooLarge((width, height), of: path, after: max(0, parts.count - 1))
    }
    let packets = zip(parts, 0...).map { part, index in
      PictureDecoding.EncodedPicture(png(of: part), at: UInt64(index) * 1_000_000_000)
    }
    let decoded = try file.decode(packets, limit: limit)
    guard decoded.count == parts.count else {
      throw .brokenPicture(path, "has parts that can't be decoded")
    }
    return Animation(
      pictures: composed(decoded), durations: parts.map(\.duration), plays: plays)
  }

  private func png(of part: Part) -> [UInt8] {
    let sides = [part.width, part.height].flatMap { side in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) }
    }
    return PNGChunks.signature + PNGChunks.chunk("IHDR", sides + header.dropFirst(8)) + shared
      + part.data.flatMap { PNGChunks.chunk("IDAT", $0) } + PNGChunks.chunk("IEND", [])
  }

  private func composed(_ pictures: [Picture]) -> [Picture] {
    var canvas = Picture(width: width, height: height)
    var results: [Picture] = []
    for (part, picture) in zip(parts, pictures) {
      let before = canvas
      let source = picture.premultiplied
      if part.isBlended {
        canvas.blend(source, at: part.corner)
      } else {
        canvas.put(source, at: part.corner)
      }
      results.append(canvas)
      switch part.disposal {
      case 1: canvas.put(Picture(width: part.width, height: part.height), at: part.corner)
      // What is before the first part is nothing.
      case 2: canvas = results.count == 1 ? Picture(width: width, height: height) : before
      default: break
      }
    }
    return results
  }
}
