/// What the sequence header of an AV1 stream says, as a movie has it (AV1 Bitstream, 5.5; AV1 Codec
/// ISO Media File Format Binding, 2.3).
package struct AV1Configuration {
  /// The contents of an `av1C` box.
  let bytes: [UInt8]

  /// From the first sequence header in a sample; `nil` where there is none.
  init?(inSample sample: [UInt8]) {
    var place = 0
    while let unit = AV1Unit(sample[place...]) {
      if unit.type == 1 {
        let content = sample[place + unit.headerSize..<place + unit.size]
        guard let header = AV1SequenceHeader(content) else { return nil }
        // The header in the box has its size, as those in the samples have.
        var writer = BoxWriter()
        writer.write(0x81, bytes: 1)
        writer.write(header.profile << 5 | header.level, bytes: 1)
        writer.write(header.tier << 7 | header.format, bytes: 1)
        writer.write(0, bytes: 1)
        writer.write(sample[place..<place + unit.size])
        bytes = writer.bytes
        return
      }
      place += unit.size
    }
    return nil
  }

  /// How many bytes of a sample are a temporal delimiter, which a movie's samples don't have (2.4).
  package static func delimiterSize(_ sample: Span<UInt8>) -> Int {
    sample.count > 2 && sample[0] == 0x12 && sample[1] == 0 ? 2 : 0
  }
}

/// An open bitstream unit that has its size (AV1 Bitstream, 5.3).
struct AV1Unit {
  let type: Int
  let headerSize: Int
  /// Of header and content.
  let size: Int

  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first, first & 0x82 == 2 else { return nil }
    type = Int(first >> 3) & 15
    var place = bytes.startIndex + (first & 4 == 0 ? 1 : 2)
    var length = 0
    for shift in stride(from: 0, to: 28, by: 7) {
      guard place < bytes.endIndex else { return nil }
      length |= Int(bytes[place] & 0x7f) << shift
      place += 1
      if bytes[place - 1] & 0x80 == 0 { break }
    }
    headerSize = place - bytes.startIndex
    size = headerSize + length
    guard size <= bytes.count else { return nil }
  }
}

/// A sequence header, as far as its colours (AV1 Bitstream, 5.5.1 and 5.5.2).
struct AV1SequenceHeader {
  let profile: Int
  private(set) var level = 0
  private(set) var tier = 0
  /// Depth and subsampling, in the lower seven bits of a byte as `av1C` has them.
  private(set) var format = 0
  /// The bit that says that there is no description of the colours, before that of the range; `nil` where
  /// there is one.
  private(set) var placeOfColors: Int?

  init?(_ bytes: ArraySlice<UInt8>) {
    var bits = BitReader(bytes)
    profile = bits.read(3)
    bits.skip(1)
    let isReduced = bits.readFlag()
    if isReduced { level = bits.read(5) } else { readOperatingPoints(&bits) }
    let (width, height) = (bits.read(4), bits.read(4))
    bits.skip(width + 1 + height + 1)
    if !isReduced, bits.readFlag() { bits.skip(7) }
    bits.skip(3)
    if !isReduced { Self.skipTools(&bits) }
    bits.skip(3)
    format = readFormat(&bits)
    guard !bits.isExhausted, profile < 3 else { return nil }
  }

  private mutating func readOperatingPoints(_ bits: inout BitReader) {
    var delayLength = 0
    if bits.readFlag() {
      bits.skip(64)
      if bits.readFlag() { Self.skipVariableLength(&bits) }
      if bits.readFlag() {
        delayLength = bits.read(5) + 1
        bits.skip(42)
      }
    }
    let haveDelays = bits.readFlag()
    for point in 0...bits.read(5) {
      bits.skip(12)
      let level = bits.read(5)
      let tier = level > 7 ? bits.read(1) : 0
      if point == 0 { (self.level, self.tier) = (level, tier) }
      if delayLength > 0, bits.readFlag() { bits.skip(2 * delayLength + 1) }
      if haveDelays, bits.readFlag() { bits.skip(4) }
    }
  }

  /// A number whose leading zeros say how many bits it has (4.10.3).
  private static func skipVariableLength(_ bits: inout BitReader) {
    var zeros = 0
    while zeros < 32, !bits.readFlag() { zeros += 1 }
    if zeros < 32 { bits.skip(zeros) }
  }

  private static func skipTools(_ bits: inout BitReader) {
    bits.skip(4)
    let hasOrder = bits.readFlag()
    if hasOrder { bits.skip(2) }
    let forcesTools = bits.readFlag() ? 2 : bits.read(1)
    if forcesTools > 0, !bits.readFlag() { bits.skip(1) }
    if hasOrder { bits.skip(3) }
  }

  private mutating func readFormat(_ bits: inout BitReader) -> Int {
    let isHigh = bits.readFlag()
    let isTwelve = profile == 2 && isHigh && bits.readFlag()
    let isGray = profile != 1 && bits.readFlag()
    let depth = (isHigh ? 0x40 : 0) | (isTwelve ? 0x20 : 0)
    let isDescribed = bits.readFlag()
    if !isDescribed { placeOfColors = bits.position - 1 }
    let color = isDescribed ? [bits.read(8), bits.read(8), bits.read(8)] : [2, 2, 2]
    if isGray { return depth | 0x1c }
    if color == [1, 13, 0] { return depth }
    bits.skip(1)
    guard profile != 1 else { return depth }
    var (across, down) = (1, profile == 0 ? 1 : 0)
    if isTwelve {
      across = bits.read(1)
      down = across == 1 ? bits.read(1) : 0
    }
    let place = across & down == 1 ? bits.read(2) : 0
    return depth | across << 3 | down << 2 | place
  }
}
