import GraphKit

/// An animated PNG of single ones (PNG specification, third edition, section 11.3.6).
///
/// Readers that know no animation show the first image.
struct PNGAnimation: AnimationLayout {
  private let plays: Int
  /// The chunks before the first image's data.
  private var header: [UInt8] = []
  private var size: (width: Int, height: Int) = (0, 0)
  private var count = 0
  /// The number of the next chunk of those that are numbered.
  private var sequence = 0

  init(plays: Int) { self.plays = plays }

  mutating func image(_ bytes: [UInt8], milliseconds: Int) throws(NodeError) -> [UInt8] {
    var (reader, image): (PNGChunks, [UInt8]) = (PNGChunks(bytes), [])
    while let chunk = reader.next() {
      switch chunk.type {
      case "IHDR" where count == 0:
        header = PNGChunks.chunk("IHDR", chunk.data)
        size = (chunk.number(at: 0), chunk.number(at: 4))
        image += control(milliseconds)
      case "IHDR": image += control(milliseconds)
      case "IDAT": image += data(chunk.data)
      default: break
      }
    }
    guard !image.isEmpty, !header.isEmpty else {
      throw NodeError("an image isn't PNG", remedy: "look at the element `pngenc`")
    }
    count += 1
    return image
  }

  /// How an image is shown. Its time has 16 bits, as a fraction.
  private mutating func control(_ milliseconds: Int) -> [UInt8] {
    let unit = milliseconds <= 65_535 ? 1 : milliseconds <= 655_350 ? 10 : 1000
    var control = numbered()
    for number in [size.width, size.height, 0, 0] { control.append(number, bytes: 4) }
    control.append(min(milliseconds / unit, 65_535), bytes: 2)
    control.append(1000 / unit, bytes: 2)
    // It stays until the next, whose pixels take the place of its own.
    return PNGChunks.chunk("fcTL", control + [0, 0])
  }

  private mutating func data(_ bytes: [UInt8]) -> [UInt8] {
    count == 0 ? PNGChunks.chunk("IDAT", bytes) : PNGChunks.chunk("fdAT", numbered() + bytes)
  }

  private mutating func numbered() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(sequence, bytes: 4)
    sequence += 1
    return bytes
  }

  let mostBytes = Int.max
  var endByteCount: Int { end.count }
  var end: [UInt8] { PNGChunks.chunk("IEND", []) }

  func head(byteCount: Int) -> [UInt8] {
    var control: [UInt8] = []
    control.append(count, bytes: 4)
    control.append(plays, bytes: 4)
    return PNGChunks.signature + header + PNGChunks.chunk("acTL", control)
  }
}

extension [UInt8] {
  /// Appends a number, its highest byte first.
  fileprivate mutating func append(_ number: Int, bytes: Int) {
    for byte in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }
}
