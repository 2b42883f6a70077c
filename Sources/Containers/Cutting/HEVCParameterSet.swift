/// The numbers of HEVC's parameter sets (ITU-T H.265, 7.3.2), and of those that slices need (7.3.6.1).
///
/// Encoders mostly number all of them 0. Others are chosen so that a slice, whose contents end at a whole
/// byte, grows by exactly one where it has another: the number of its set is coded in 9 bits instead of
/// one, and all that follows stays as it is.
enum HEVCParameterSet {
  /// The types of units that have the sets of a stream, of a sequence and of a picture.
  static let types: [UInt8] = [32, sequence, picture]
  static let sequence: UInt8 = 33
  private static let picture: UInt8 = 34

  /// The type of a unit.
  static func type(_ unit: some Collection<UInt8>) -> UInt8 { (unit.first ?? 0) >> 1 & 0x3f }

  /// What a set of a type is called by one of the numbers from 0 to 7. Those of pictures have 9 bits as
  /// codes, of which the last is 1: so no two zeros arise that would have to be escaped.
  static func identifier(_ number: Int, of type: UInt8) -> Int {
    type == picture ? 16 + 2 * number : 8 + number
  }

  static func identifier(of set: [UInt8]) -> Int {
    var bits = contents(set)
    switch type(set) {
    case picture: return bits.readExponential()
    case sequence:
      skipLevels(&bits)
      return bits.readExponential()
    default: return bits.read(4)
    }
  }

  /// Whether a set of a sequence is of the profile main, with whole frames of 8 bits in 4:2:0.
  static func isMain(_ set: [UInt8]) -> Bool {
    var bits = contents(set)
    bits.skip(4 + 3 + 1 + 3)
    let profile = bits.read(5)
    bits.skip(32)
    let (isProgressive, isInterlaced) = (bits.readFlag(), bits.readFlag())
    bits = contents(set)
    let sampling = readSampling(&bits)
    guard profile == 1, isProgressive || !isInterlaced else { return false }
    return sampling == (1, 0, 0) && !bits.isExhausted
  }

  /// How many frames at most come before one that is presented earlier, by a set of a sequence.
  static func reorderedFrames(of set: [UInt8]) -> Int? {
    var bits = contents(set)
    bits.skip(4)
    let layers = bits.read(3) + 1
    bits = contents(set)
    _ = readSampling(&bits)
    _ = bits.readExponential()
    var count = 0
    // For all layers in one, or for each of them.
    for _ in 0..<(bits.readFlag() ? layers : 1) {
      _ = bits.readExponential()
      count = bits.readExponential()
      _ = bits.readExponential()
    }
    return bits.isExhausted || count > 16 ? nil : count
  }

  /// How colours are sampled, and how many more bits than 8 brightness and colours have, which a set of
  /// a sequence says after its levels.
  private static func readSampling(
    _ bits: inout BitReader
  ) -> (chroma: Int, luma: Int, colors: Int) {
    skipLevels(&bits)
    _ = bits.readExponential()
    let chroma = bits.readExponential()
    if chroma == 3 { bits.skip(1) }
    for _ in 0..<2 { _ = bits.readExponential() }
    if bits.readFlag() { for _ in 0..<4 { _ = bits.readExponential() } }
    return (chroma, bits.readExponential(), bits.readExponential())
  }

  /// A set with other numbers; `nil` where it is cut off.
  static func numbered(_ set: [UInt8], _ number: Int) -> [UInt8]? {
    var bits = contents(set)
    let stream = fixed(identifier(number, of: 32), count: 4)
    let own = exponential(identifier(number, of: sequence))
    var parts: [(range: Range<Int>, code: [Bool])] = [(0..<4, stream)]
    switch type(set) {
    case picture:
      for _ in 0..<2 { _ = bits.readExponential() }
      parts = [(0..<bits.position, exponential(identifier(number, of: picture)) + own)]
    case sequence:
      skipLevels(&bits)
      let start = bits.position
      _ = bits.readExponential()
      parts.append((start..<bits.position, own))
    default: bits.skip(4)
    }
    return bits.isExhausted ? nil : replacing(parts, in: set)
  }

  /// A unit of a frame whose set of pictures has another number than 0.
  static func slice(_ unit: ArraySlice<UInt8>, _ number: Int) -> [UInt8]? {
    guard unit.count > 3 else { return nil }
    // Whether it is the first of its frame, and of frames with which decoding begins, whether those
    // before them are still to be shown.
    let flags = type(unit) >= 16 ? 2 : 1
    let start = unit.startIndex + 2
    let first = UInt16(unit[start])
    // The code of 0 is one bit.
    guard first << flags & 0x80 != 0 else { return nil }
    let before = (first >> (8 - flags)) << (16 - flags)
    let after = first & (1 << (7 - flags) - 1)
    let both = before | UInt16(identifier(number, of: picture) + 1) << (7 - flags) | after
    return unit[..<start] + [UInt8(both >> 8), UInt8(both & 0xff)] + unit[(start + 1)...]
  }

  private static func contents(_ set: [UInt8]) -> BitReader {
    BitReader(EscapedBytes.removed(from: set.dropFirst(2)))
  }

  /// What a set of a sequence begins with: the number of another, its profile, tier and level (7.3.3).
  private static func skipLevels(_ bits: inout BitReader) {
    bits.skip(4)
    let layers = bits.read(3)
    bits.skip(1 + 96)
    guard layers > 0 else { return }
    let said = (0..<layers).map { _ in (profile: bits.readFlag(), level: bits.readFlag()) }
    bits.skip(2 * (8 - layers))
    for layer in said { bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
  }
}

extension HEVCParameterSet {
  private static func fixed(_ value: Int, count: Int) -> [Bool] {
    (0..<count).reversed().map { value >> $0 & 1 == 1 }
  }

  /// A number in the Exp-Golomb code (ITU-T H.265, 9.2).
  private static func exponential(_ value: Int) -> [Bool] {
    let count = Int.bitWidth - (value + 1).leadingZeroBitCount
    return fixed(value + 1, count: 2 * count - 1)
  }

  /// A set with other bits in places of its contents, which are in order.
  private static func replacing(
    _ parts: [(range: Range<Int>, code: [Bool])], in set: [UInt8]
  ) -> [UInt8]? {
    let contents = EscapedBytes.removed(from: set.dropFirst(2))
    var bits = contents.flatMap { fixed(Int($0), count: 8) }
    // The last one ends the contents.
    guard let end = bits.lastIndex(of: true), parts.allSatisfy({ $0.range.upperBound <= end })
    else {
      return nil
    }
    bits.removeSubrange((end + 1)...)
    for part in parts.reversed() { bits.replaceSubrange(part.range, with: part.code) }
    while bits.count % 8 != 0 { bits.append(false) }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { place in
      bits[place..<place + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    return set.prefix(2) + EscapedBytes.added(to: bytes)
  }
}
