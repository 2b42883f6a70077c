/// What a parameter set of H.264 says of a sequence of frames (ITU-T H.264, 7.3.2.1.1).
struct AVCSequence: Hashable, Sendable {
  /// The highest number that a set may have.
  static let highestIdentifier = 31

  /// The profile's number.
  let profile: Int
  /// How colours are sampled: 1 for 4:2:0.
  private(set) var chroma = 1
  /// Bits of a sample.
  private(set) var depth = 8
  /// Whether all frames are coded as such, and none as two fields.
  private(set) var isProgressive = true
  /// What the set says beside how frames are coded; `nil` for nothing.
  private var usability: AVCUsability?
  /// Whether frames are presented as they come, by how their order is coded (8.2.1.3).
  private var isInOrder = false

  static func identifier(_ set: [UInt8]) -> Int {
    var bits = BitReader(set.dropFirst(4))
    return bits.readExponential()
  }

  /// Reads a set; `nil` where it is cut off.
  init?(_ set: [UInt8]) {
    guard set.count > 4 else { return nil }
    profile = Int(set[1])
    var bits = BitReader(EscapedBytes.removed(from: set.dropFirst(4)))
    _ = bits.readExponential()
    if [100, 110, 122, 244, 44].contains(profile) { readSampling(&bits) }
    _ = bits.readExponential()
    isInOrder = Self.readOrder(&bits) == 2
    _ = bits.readExponential()
    bits.skip(1)
    for _ in 0..<2 { _ = bits.readExponential() }
    isProgressive = bits.readFlag()
    bits.skip(isProgressive ? 1 : 2)
    if bits.readFlag() { for _ in 0..<4 { _ = bits.readExponential() } }
    let hasUsability = bits.readFlag()
    guard !bits.isExhausted else { return nil }
    if hasUsability { usability = AVCUsability(&bits) }
  }

  /// How many frames at most come before one that is presented earlier; `nil` where that isn't said.
  var reorderedFrames: Int? {
    // Those of the baseline profile are presented as they come.
    profile == 66 || isInOrder ? 0 : usability?.reorderedFrames
  }

  /// A set whose colours aren't specified, by the number 2 (E.2.1).
  static func withoutColors(_ set: [UInt8]) -> [UInt8] {
    guard let place = AVCSequence(set)?.usability?.colors else { return set }
    var contents = EscapedBytes.removed(from: set.dropFirst(4))
    for bit in place..<min(place + 24, contents.count * 8) {
      let mask = UInt8(0x80 >> (bit & 7))
      if (bit - place) % 8 == 6 { contents[bit >> 3] |= mask } else { contents[bit >> 3] &= ~mask }
    }
    return set.prefix(4) + EscapedBytes.added(to: contents)
  }

  private mutating func readSampling(_ bits: inout BitReader) {
    chroma = bits.readExponential()
    if chroma == 3 { bits.skip(1) }
    depth = 8 + max(bits.readExponential(), bits.readExponential())
    bits.skip(1)
    guard bits.readFlag() else { return }
    for list in 0..<(chroma == 3 ? 12 : 8) where bits.readFlag() {
      Self.skipScaling(&bits, count: list < 6 ? 16 : 64)
    }
  }

  private static func skipScaling(_ bits: inout BitReader, count: Int) {
    var (last, next) = (8, 8)
    for _ in 0..<count {
      if next != 0 { next = (last + bits.readSignedExponential() + 256) & 0xff }
      if next != 0 { last = next }
    }
  }

  /// How the order in which frames are presented is coded.
  private static func readOrder(_ bits: inout BitReader) -> Int {
    let order = bits.readExponential()
    switch order {
    case 0: _ = bits.readExponential()
    case 1:
      bits.skip(1)
      for _ in 0..<2 { _ = bits.readExponential() }
      for _ in 0..<min(255, bits.readExponential()) { _ = bits.readExponential() }
    default: break
    }
    return order
  }
}
