/// Packs the pixels of a GIF's image (GIF89a, appendix F): LZW with codes of at most 12 bits, in
/// blocks of at most 255 bytes.
struct GIFPacker {
  private static let mostCodes = 4096
  /// Places of the table of known runs, more than there are codes.
  private static let placeCount = 8192

  /// The image's data, with its terminator.
  private(set) var bytes: [UInt8]
  private var block: [UInt8] = []
  private let leastWidth: Int
  private var width: Int
  private var bits = 0
  private var bitCount = 0
  /// Of each known run the code before its last pixel and that pixel, and its own code.
  private var keys = [Int32](repeating: -1, count: Self.placeCount)
  private var codes = [Int16](repeating: 0, count: Self.placeCount)
  private var next: Int

  private var clear: Int { 1 << leastWidth }

  /// The data of an image whose pixels are numbers below two to the power of `depth`.
  static func pack(_ pixels: [UInt8], depth: Int) -> [UInt8] {
    var packer = GIFPacker(depth: max(2, depth))
    packer.add(pixels)
    return packer.bytes
  }

  private init(depth: Int) {
    leastWidth = depth
    (width, next) = (depth + 1, 1 << depth + 2)
    bytes = [UInt8(depth)]
  }

  private mutating func add(_ pixels: [UInt8]) {
    put(clear)
    guard var run = pixels.first.map({ Int($0) }) else { return end() }
    for pixel in pixels.dropFirst() {
      let place = place(of: Int32(run << 8 | Int(pixel)))
      if keys[place] >= 0 {
        run = Int(codes[place])
        continue
      }
      put(run)
      if next < Self.mostCodes {
        (keys[place], codes[place]) = (Int32(run << 8 | Int(pixel)), Int16(next))
        next += 1
        if next > 1 << width, width < 12 { width += 1 }
      } else {
        startOver()
      }
      run = Int(pixel)
    }
    put(run)
    // A reader has one more code by now.
    if next >= 1 << width, width < 12 { width += 1 }
    end()
  }

  /// Where the table has a run, or has room for it.
  private func place(of key: Int32) -> Int {
    var place = (Int(key) &* 2_654_435_761 >> 8) & (Self.placeCount - 1)
    while keys[place] >= 0, keys[place] != key { place = (place + 1) & (Self.placeCount - 1) }
    return place
  }

  private mutating func startOver() {
    put(clear)
    for index in keys.indices { keys[index] = -1 }
    (width, next) = (leastWidth + 1, clear + 2)
  }

  private mutating func put(_ code: Int) {
    bits |= code << bitCount
    bitCount += width
    while bitCount >= 8 {
      putByte(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  private mutating func putByte(_ byte: UInt8) {
    block.append(byte)
    if block.count == 255 { endBlock() }
  }

  private mutating func endBlock() {
    guard !block.isEmpty else { return }
    bytes.append(UInt8(block.count))
    bytes += block
    block.removeAll(keepingCapacity: true)
  }

  private mutating func end() {
    // The code that ends the data follows that of clearing.
    put(clear + 1)
    if bitCount > 0 { putByte(UInt8(truncatingIfNeeded: bits)) }
    endBlock()
    bytes.append(0)
  }
}
