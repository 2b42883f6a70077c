import GraphKit

/// Draws the pictures of a GIF one over the other, as their file says (GIF89a specification).
///
/// What nothing is drawn on is transparent, or has the background colour where the pictures know
/// no transparency, as libav has it.
struct GIFCanvas {
  let width: Int
  let height: Int
  /// Red, green, blue and alpha of each pixel, in rows.
  private var pixels: [UInt8]
  private let globalColors: [UInt8]
  private let background: [UInt8]
  private let path: String
  /// What becomes of the last picture before the next is drawn.
  private var afterwards = Afterwards.keep

  private enum Afterwards {
    case keep
    case fill(Area, [UInt8])
    case restore([UInt8])
  }

  private struct Area { var left = 0, top = 0, width = 0, height = 0 }

  /// How a picture is drawn: the graphic control extension before it.
  private struct Control { var disposal = 0, transparent: Int? }

  private static let clear: [UInt8] = [255, 255, 255, 0]

  /// A canvas for the file that begins with these bytes.
  init(_ head: [UInt8], path: String) throws(NodeError) {
    self.path = path
    var reader = GIFReader(head, at: 6)
    guard let width = reader.number(), let height = reader.number(), let flags = reader.byte(),
      let index = reader.byte(), reader.byte() != nil, width > 0, height > 0
    else { throw .brokenPicture(path, "has no size") }
    guard width * height <= PictureFile.largestPixelCount else {
      throw NodeError(
        "`\(path)` has pictures of \(width)x\(height), which are too large",
        remedy: "give pictures of at most \(PictureFile.largestPixelCount) pixels", key: "path")
    }
    (self.width, self.height) = (width, height)
    pixels = Array(repeating: 0, count: width * height * 4)
    globalColors = reader.colors(flags)
    background = Self.color(Int(index), of: globalColors) ?? Self.clear
  }

  /// Draws the next picture: its blocks, and those before it.
  mutating func draw(_ packet: [UInt8], isFirst: Bool) throws(NodeError) {
    var reader = GIFReader(packet, at: isFirst ? 13 + globalColors.count : 0)
    var control = Control()
    while let kind = reader.byte(), kind != 0x2C {
      guard kind == 0x21, let label = reader.byte(), let blocks = reader.blocks() else {
        throw .brokenPicture(path, "has a block that is none")
      }
      if label == 0xF9, blocks.count >= 4 {
        control.disposal = Int(blocks[0] >> 2 & 7)
        control.transparent = blocks[0] & 1 == 0 ? nil : Int(blocks[3])
      }
    }
    let bare = control.transparent == nil && !globalColors.isEmpty ? background : Self.clear
    if isFirst { fill(Area(width: width, height: height), with: bare) }
    guard let left = reader.number(), let top = reader.number(), let columns = reader.number(),
      let rows = reader.number(), let flags = reader.byte()
    else { throw .brokenPicture(path, "ends within a picture") }
    let local = reader.colors(flags)
    guard let bits = reader.byte(), let data = reader.blocks(), (1...11).contains(bits) else {
      throw .brokenPicture(path, "has a picture without data")
    }
    dispose()
    let area = Area(left: left, top: top, width: columns, height: rows)
    switch control.disposal {
    case 2: afterwards = .fill(area, bare)
    case 3: afterwards = .restore(pixels)
    default: afterwards = .keep
    }
    var codes = GIFCodes(data, bits: Int(bits))
    let indices = codes.decode(upTo: columns * rows)
    put(
      indices, in: area, isInterlaced: flags & 0x40 != 0,
      colors: local.isEmpty ? globalColors : local, transparent: control.transparent)
  }

  /// Copies what is drawn into a frame of the same size.
  func copy(to frame: inout VideoFrame) {
    let stride = frame.bytesPerRow(ofPlane: 0)
    var plane = frame.plane(0)
    for row in 0..<height {
      for column in 0..<width * 4 {
        plane[row * stride + column] = pixels[row * width * 4 + column]
      }
    }
  }

  private mutating func dispose() {
    switch afterwards {
    case .keep: break
    case .fill(let area, let color): fill(area, with: color)
    case .restore(let former): pixels = former
    }
  }

  private mutating func fill(_ area: Area, with color: [UInt8]) {
    for row in area.top..<max(area.top, min(area.top + area.height, height)) {
      for column in area.left..<max(area.left, min(area.left + area.width, width)) {
        set(row, column, color)
      }
    }
  }

  private mutating func put(
    _ indices: [UInt8], in area: Area, isInterlaced: Bool, colors: [UInt8], transparent: Int?
  ) {
    guard area.width > 0 else { return }
    let rows = isInterlaced ? Self.interlaced(area.height) : Array(0..<area.height)
    for (place, index) in indices.enumerated() {
      let (line, column) = place.quotientAndRemainder(dividingBy: area.width)
      let (x, y) = (area.left + column, area.top + rows[line])
      guard Int(index) != transparent, x < width, y < height,
        let color = Self.color(Int(index), of: colors)
      else { continue }
      set(y, x, color)
    }
  }

  private mutating func set(_ row: Int, _ column: Int, _ color: [UInt8]) {
    let place = (row * width + column) * 4
    for part in 0..<4 { pixels[place + part] = color[part] }
  }

  private static func color(_ index: Int, of table: [UInt8]) -> [UInt8]? {
    guard index * 3 + 3 <= table.count else { return nil }
    return [table[index * 3], table[index * 3 + 1], table[index * 3 + 2], 255]
  }

  /// The rows in the order in which an interlaced picture has them (GIF89a, appendix E).
  private static func interlaced(_ count: Int) -> [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: count, by: $0.1)) }
  }
}
