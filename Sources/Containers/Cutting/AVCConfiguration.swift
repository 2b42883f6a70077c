/// What a movie says of a track of H.264 (ISO/IEC 14496-15, 5.3.3.1): its parameter sets, without
/// which no frame can be decoded.
package struct AVCConfiguration: Hashable, Sendable {
  /// The profile that the whole stream keeps to (`profile_idc`).
  package private(set) var profile: UInt8
  private var compatibility: UInt8
  private var level: UInt8
  /// Bytes of the length that is before each unit of a sample.
  package let lengthSize: Int
  private var sequences: [[UInt8]]
  private var pictures: [[UInt8]]
  /// What follows the sets: the chroma format and the bit depths, of some profiles.
  private let rest: [UInt8]

  /// Reads the contents of `avcC`; `nil` where they are cut off or there are no sets.
  package init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count > 6, bytes[0] == 1 else { return nil }
    (profile, compatibility, level) = (bytes[1], bytes[2], bytes[3])
    lengthSize = Int(bytes[4] & 3) + 1
    var place = 6
    guard let sequences = Self.sets(Int(bytes[5] & 0x1f), in: bytes, from: &place),
      place < bytes.count, !sequences.isEmpty
    else { return nil }
    let count = Int(bytes[place])
    place += 1
    guard let pictures = Self.sets(count, in: bytes, from: &place), !pictures.isEmpty else {
      return nil
    }
    (self.sequences, self.pictures, rest) = (sequences, pictures, Array(bytes[place...]))
  }

  private static func sets(
    _ count: Int, in bytes: [UInt8], from place: inout Int
  ) -> [[UInt8]]? {
    var sets: [[UInt8]] = []
    for _ in 0..<count {
      guard place + 2 <= bytes.count else { return nil }
      let start = place + 2
      let end = start + Int(bytes[place]) << 8 + Int(bytes[place + 1])
      guard end > start, end <= bytes.count else { return nil }
      sets.append(Array(bytes[start..<end]))
      place = end
    }
    return sets
  }

  /// The bytes of `avcC`.
  package var bytes: [UInt8] {
    var bytes = [1, profile, compatibility, level, 0xfc | UInt8(lengthSize - 1)]
    bytes.append(0xe0 | UInt8(sequences.count))
    Self.write(sequences, to: &bytes)
    bytes.append(UInt8(pictures.count))
    Self.write(pictures, to: &bytes)
    return bytes + rest
  }

  private static func write(_ sets: [[UInt8]], to bytes: inout [UInt8]) {
    for set in sets {
      bytes += [UInt8(set.count >> 8), UInt8(set.count & 0xff)]
      bytes += set
    }
  }

  /// What its first sequence of frames is; `nil` where it can't be read.
  package var sequence: AVCSequence? { sequences.first.flatMap(AVCSequence.init) }

  /// The numbers that neither a parameter set of sequences nor one of pictures has.
  package var freeIdentifiers: [Int] {
    let used = sequences.map(AVCSequence.identifier) + pictures.map(Self.identifier)
    return (0...AVCSequence.highestIdentifier).filter { !used.contains($0) }
  }

  private static func identifier(ofPicture set: [UInt8]) -> Int {
    var bits = BitReader(set.dropFirst())
    return bits.readExponential()
  }

  /// The same without what it says of colours, which an encoder makes up where it isn't given.
  package var withoutColors: AVCConfiguration {
    var changed = self
    changed.sequences = sequences.map(AVCSequence.withoutColors)
    return changed
  }

  /// With the parameter sets of another one beside its own, for samples of both in one track; `nil`
  /// where their sets have the same numbers, or their units are framed otherwise.
  package func joined(with other: AVCConfiguration) -> AVCConfiguration? {
    let own = Set(sequences.map(AVCSequence.identifier))
    guard other.lengthSize == lengthSize, other.profile == profile,
      own.isDisjoint(with: other.sequences.map(AVCSequence.identifier)),
      Set(pictures.map(Self.identifier)).isDisjoint(with: other.pictures.map(Self.identifier)),
      sequences.count + other.sequences.count < 32, pictures.count + other.pictures.count < 256
    else { return nil }
    var joined = self
    joined.compatibility &= other.compatibility
    joined.level = max(level, other.level)
    joined.sequences += other.sequences
    joined.pictures += other.pictures
    return joined
  }

  /// Whether a sample begins a sequence of its own, so that no frame from before it is needed and other
  /// parameter sets may hold from it on: its first unit of a frame is one of an IDR frame.
  package func beginsSequence(_ sample: [UInt8]) -> Bool {
    let types = units(of: sample).map { sample[$0.lowerBound + lengthSize] & 0x1f }
    return types.first { (1...5).contains($0) } == 5
  }

  /// A sample without parameter sets of its own, which those of the configuration stand for.
  package func withoutSets(_ sample: [UInt8]) -> [UInt8] {
    units(of: sample).filter { ![7, 8].contains(sample[$0.lowerBound + lengthSize] & 0x1f) }
      .flatMap { sample[$0] }
  }

  /// Where the units of a sample are, with their lengths before them.
  private func units(of sample: [UInt8]) -> [Range<Int>] {
    var units: [Range<Int>] = []
    var place = 0
    while place + lengthSize < sample.count {
      let size = sample[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      let end = min(sample.count, place + lengthSize + max(1, size))
      units.append(place..<end)
      place = end
    }
    return units
  }
}

/// What a parameter set of H.264 says of a sequence of frames (ITU-T H.264, 7.3.2.1.1).
package struct AVCSequence: Hashable, Sendable {
  /// The highest number that a set may have.
  static let highestIdentifier = 31

  /// The profile's number.
  package let profile: Int
  /// How colours are sampled: 1 for 4:2:0.
  package private(set) var chroma = 1
  /// Bits of a sample.
  package private(set) var depth = 8
  /// Whether all frames are coded as such, and none as two fields.
  package private(set) var isProgressive = true
  /// After how many bits of the set's contents the numbers of the colours are; `nil` for none.
  private var colors: Int?

  static func identifier(_ set: [UInt8]) -> Int {
    var bits = BitReader(set.dropFirst(4))
    return bits.readExponential()
  }

  /// Reads a set; `nil` where it is cut off.
  init?(_ set: [UInt8]) {
    guard set.count > 4 else { return nil }
    profile = Int(set[1])
    var bits = BitReader(Self.withoutEscapes(set.dropFirst(4)))
    _ = bits.readExponential()
    if [100, 110, 122, 244, 44].contains(profile) { readSampling(&bits) }
    _ = bits.readExponential()
    Self.skipOrder(&bits)
    _ = bits.readExponential()
    bits.skip(1)
    for _ in 0..<2 { _ = bits.readExponential() }
    isProgressive = bits.readFlag()
    bits.skip(isProgressive ? 1 : 2)
    if bits.readFlag() { for _ in 0..<4 { _ = bits.readExponential() } }
    if bits.readFlag() { colors = Self.findColors(&bits) }
    guard !bits.isExhausted else { return nil }
  }

  /// Where what is said of the display has the numbers of the colours (E.1.1).
  private static func findColors(_ bits: inout BitReader) -> Int? {
    if bits.readFlag(), bits.read(8) == 255 { bits.skip(32) }
    if bits.readFlag() { bits.skip(1) }
    guard bits.readFlag() else { return nil }
    bits.skip(4)
    return bits.readFlag() ? bits.position : nil
  }

  /// A set whose colours aren't specified, by the number 2 (E.2.1).
  static func withoutColors(_ set: [UInt8]) -> [UInt8] {
    guard let place = AVCSequence(set)?.colors else { return set }
    var contents = withoutEscapes(set.dropFirst(4))
    for bit in place..<min(place + 24, contents.count * 8) {
      let mask = UInt8(0x80 >> (bit & 7))
      if (bit - place) % 8 == 6 { contents[bit >> 3] |= mask } else { contents[bit >> 3] &= ~mask }
    }
    return set.prefix(4) + withEscapes(contents)
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
  private static func skipOrder(_ bits: inout BitReader) {
    switch bits.readExponential() {
    case 0: _ = bits.readExponential()
    case 1:
      bits.skip(1)
      for _ in 0..<2 { _ = bits.readExponential() }
      for _ in 0..<min(255, bits.readExponential()) { _ = bits.readExponential() }
    default: break
    }
  }

  private static func withEscapes(_ bytes: [UInt8]) -> [UInt8] {
    var (found, zeros) = ([UInt8](), 0)
    for byte in bytes {
      if zeros >= 2, byte <= 3 {
        found.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      found.append(byte)
    }
    return found
  }

  /// The bytes without those that keep a start code from appearing among them (7.4.1.1).
  private static func withoutEscapes(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (found, zeros) = ([UInt8](), 0)
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      found.append(byte)
    }
    return found
  }
}

extension BitReader {
  /// A number of the Exp-Golomb code (ITU-T H.264, 9.1), as large as 32 bits hold.
  fileprivate mutating func readExponential() -> Int {
    var zeros = 0
    while zeros < 32, !isExhausted, !readFlag() { zeros += 1 }
    return zeros < 32 ? 1 << zeros - 1 + read(zeros) : Int(UInt32.max)
  }

  /// The same with a sign (9.1.1).
  fileprivate mutating func readSignedExponential() -> Int {
    let code = readExponential()
    return code % 2 == 0 ? -(code / 2) : code / 2 + 1
  }
}
