import Media

extension AV1Configuration {
  /// A sample whose sequence headers say what its colours are, of which they said nothing; `nil` where no
  /// header lacks that.
  package static func describing(_ color: ColorNumbers, inSample sample: [UInt8]) -> [UInt8]? {
    var (written, place, isChanged) = ([UInt8](), 0, false)
    while let unit = AV1Unit(sample[place...]) {
      let bytes = sample[place..<place + unit.size]
      if unit.type == 1, let described = unit.described(color, bytes) {
        written += described
        isChanged = true
      } else {
        written += bytes
      }
      place += unit.size
    }
    return isChanged ? written + sample[place...] : nil
  }
}

extension AV1Unit {
  /// A unit that is a sequence header, with a description of the colours (AV1 Bitstream, 5.5.2): 24 bits
  /// more, so that what follows stays where it is in its bytes.
  fileprivate func described(_ color: ColorNumbers, _ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    let content = bytes.dropFirst(headerSize)
    guard let header = AV1SequenceHeader(content), let place = header.placeOfColors else {
      return nil
    }
    // The matrix of RGB is for frames without subsampling alone.
    let matrix = color.matrix == 0 ? 2 : color.matrix
    var bits = BitReader(content)
    var writer = BitWriter()
    for _ in 0..<place { writer.write(bits.read(1), 1) }
    bits.skip(2)
    writer.write(1, 1)
    for number in [color.primaries, color.transfer, matrix] { writer.write(number, 8) }
    writer.write(color.isFullRange ? 1 : 0, 1)
    while bits.position < content.count * 8 { writer.write(bits.read(1), 1) }
    // What comes before the size: the header, and its extension where it has one.
    return bytes.prefix(bytes[bytes.startIndex] & 4 == 0 ? 1 : 2)
      + Self.length(writer.bytes.count) + writer.bytes
  }

  /// A length as units have it, seven bits a byte, the lowest first (4.10.5).
  private static func length(_ count: Int) -> [UInt8] {
    var (left, bytes) = (count, [UInt8]())
    repeat {
      bytes.append(UInt8(left & 0x7f) | (left > 0x7f ? 0x80 : 0))
      left >>= 7
    } while left > 0
    return bytes
  }
}

/// Writes numbers of any count of bits, the highest first.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  init() {}

  mutating func write(_ value: Int, _ width: Int) {
    for shift in (0..<width).reversed() {
      if count % 8 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> shift & 1) << (7 - count % 8)
      count += 1
    }
  }
}
