/// What a movie says of a track of H.264 (ISO/IEC 14496-15, 5.3.3.1): its parameter sets, without
/// which no frame can be decoded.
package struct AVCConfiguration: Hashable, Sendable {
  /// The profile that the whole stream keeps to (`profile_idc`).
  package private(set) var profile: UInt8
  private var compatibility: UInt8
  private var level: UInt8
  /// Bytes of the length that is before each unit of a sample.
  let lengthSize: Int
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
    guard let sequences = ParameterSets.read(Int(bytes[5] & 0x1f), in: bytes, from: &place),
      place < bytes.count, !sequences.isEmpty
    else { return nil }
    let count = Int(bytes[place])
    place += 1
    guard let pictures = ParameterSets.read(count, in: bytes, from: &place), !pictures.isEmpty
    else {
      return nil
    }
    (self.sequences, self.pictures, rest) = (sequences, pictures, Array(bytes[place...]))
  }

  /// The bytes of `avcC`.
  package var bytes: [UInt8] {
    var bytes = [1, profile, compatibility, level, 0xfc | UInt8(lengthSize - 1)]
    bytes.append(0xe0 | UInt8(sequences.count))
    ParameterSets.write(sequences, to: &bytes)
    bytes.append(UInt8(pictures.count))
    ParameterSets.write(pictures, to: &bytes)
    return bytes + rest
  }

  /// Whether frames like these can be encoded anew: of 8 bits, 4:2:0 and whole frames, in the profiles
  /// baseline, main and high.
  var isEncodedHere: Bool {
    guard let sequence = sequences.first.flatMap(AVCSequence.init) else { return false }
    return [66, 77, 100].contains(sequence.profile) && sequence.chroma == 1
      && sequence.depth == 8 && sequence.isProgressive
  }

  /// How many frames at most come before one that is presented earlier; `nil` where that isn't said.
  var reorderedFrames: Int? {
    let counts = sequences.map { AVCSequence($0)?.reorderedFrames }
    return counts.contains(nil) ? nil : counts.compactMap(\.self).max()
  }

  /// The numbers that neither a parameter set of sequences nor one of pictures has.
  var freeIdentifiers: [Int] {
    let used = sequences.map(AVCSequence.identifier) + pictures.map(Self.identifier)
    return (0...AVCSequence.highestIdentifier).filter { !used.contains($0) }
  }

  private static func identifier(ofPicture set: [UInt8]) -> Int {
    var bits = BitReader(set.dropFirst())
    return bits.readExponential()
  }

  /// The same without what it says of colours, which an encoder makes up where it isn't given.
  var withoutColors: AVCConfiguration {
    var changed = self
    changed.sequences = sequences.map(AVCSequence.withoutColors)
    return changed
  }

  /// With the parameter sets of another one beside its own, for samples of both in one track; `nil`
  /// where their sets have the same numbers, or their units are framed otherwise.
  func joined(with other: AVCConfiguration) -> AVCConfiguration? {
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
  func beginsSequence(_ sample: [UInt8]) -> Bool {
    let types = SampleUnits(of: sample).all.map(Self.type)
    return types.first { (1...5).contains($0) } == 5
  }

  /// Whether all parameter sets that a sample has are these.
  func hasSets(of sample: [UInt8]) -> Bool {
    SampleUnits(of: sample).all.allSatisfy { unit in
      guard let known = [7: sequences, 8: pictures][Self.type(unit)] else { return true }
      return known.contains { $0[...] == unit }
    }
  }

  /// A sample without parameter sets of its own, which those of the configuration stand for.
  func withoutSets(_ sample: [UInt8]) -> [UInt8] {
    SampleUnits(of: sample).sample { [7, 8].contains(Self.type($0)) ? nil : Array($0) }
  }

  private static func type(_ unit: ArraySlice<UInt8>) -> UInt8 { (unit.first ?? 0) & 0x1f }
}
