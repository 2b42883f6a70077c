/// What the header of an AC-3 frame says, as a movie has it (ETSI TS 102 366, 4.3 and F.4).
struct AC3Configuration {
  /// The contents of a `dac3` box; zeros for what is no frame of AC-3.
  private(set) var bytes: [UInt8] = [0, 0, 0]

  init(_ frame: [UInt8]) {
    guard frame.count >= 8, frame[0] == 0x0b, frame[1] == 0x77 else { return }
    let rate = Int(frame[4] >> 6)
    let bitRate = Int(frame[4] & 0x3f) >> 1
    let (identifier, mode) = (Int(frame[5] >> 3), Int(frame[5] & 7))
    let channels = Int(frame[6] >> 5)
    // After the channels come two bits for each of three kinds of mixing, where there is any.
    var skipped = 0
    if channels & 1 != 0, channels != 1 { skipped += 2 }
    if channels & 4 != 0 { skipped += 2 }
    if channels == 2 { skipped += 2 }
    let lowFrequency = Int(frame[6] >> UInt8(4 - skipped)) & 1
    let value =
      rate << 22 | identifier << 17 | mode << 14 | channels << 11 | lowFrequency << 10 | bitRate
      << 5
    bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// What the frames of an access unit of E-AC-3 say, as a movie has it (ETSI TS 102 366, E.1.2 and
/// F.6).
struct EAC3Configuration {
  /// The contents of a `dec3` box.
  let bytes: [UInt8]

  /// An independent substream, with those that depend on it.
  private struct Substream {
    var head: Int
    var dependents: Set<Int> = []
    var places = 0
  }

  /// From the bytes of the first access unit.
  init(_ unit: [UInt8]) {
    var substreams: [Substream] = []
    var (place, blocks, size, rate) = (0, 0, 0, 48_000)
    while let frame = EAC3Frame(unit[min(place, unit.count)...]) {
      place += frame.size
      // An access unit may have the blocks of a substream in several frames.
      guard frame.isDependent || frame.identifier >= substreams.count else {
        if frame.identifier == 0 { (blocks, size) = (blocks + frame.blocks, size + frame.size) }
        continue
      }
      size += frame.size
      if !frame.isDependent {
        if frame.identifier == 0 { (blocks, rate) = (frame.blocks, frame.sampleRate) }
        substreams.append(Substream(head: frame.head))
      } else if !substreams.isEmpty {
        substreams[substreams.count - 1].dependents.insert(frame.identifier)
        substreams[substreams.count - 1].places |= frame.places
      }
    }
    let samples = max(1, blocks * 256)
    let bitRate = min(size * 8 * rate / samples / 1_000, 0x1fff)
    var writer = BoxWriter()
    writer.write(bitRate << 3 | max(0, substreams.count - 1) & 7, bytes: 2)
    for substream in substreams {
      let dependents = substream.dependents.count
      writer.write(substream.head, bytes: 2)
      // Without substreams that depend on it, a reserved bit is in place of their speakers.
      writer.write(
        dependents > 0 ? dependents << 9 | substream.places : 0, bytes: dependents > 0 ? 2 : 1)
    }
    bytes = writer.bytes
  }
}

/// The header of a frame of E-AC-3.
private struct EAC3Frame {
  let isDependent: Bool
  let identifier: Int
  let size: Int
  let sampleRate: Int
  /// Blocks of 256 samples.
  let blocks: Int
  /// Its rate, version, mode and low-frequency channel, as `dec3` has them in two bytes.
  let head: Int
  /// The speakers of a substream that depends on another, as `dec3` has them.
  private(set) var places = 0

  init?(_ bytes: ArraySlice<UInt8>) {
    var bits = BitReader(bytes.prefix(16))
    guard bits.read(16) == 0x0b77 else { return nil }
    isDependent = bits.read(2) == 1
    identifier = bits.read(3)
    size = 2 * (bits.read(11) + 1)
    let rate = bits.read(2)
    let count = bits.read(2)
    sampleRate =
      rate < 3 ? [48_000, 44_100, 32_000][rate] : [24_000, 22_050, 16_000, 48_000][count]
    blocks = rate < 3 ? [1, 2, 3, 6][count] : 6
    let mode = bits.read(3)
    let hasLowFrequency = bits.read(1)
    let version = bits.read(5)
    // Versions up to 10 are AC-3's own, whose frames have another layout.
    guard version > 10, size > 4, bytes.count >= 8 else { return nil }
    head = rate << 14 | version << 9 | mode << 1 | hasLowFrequency
    guard isDependent else { return }
    for _ in 0..<(mode == 0 ? 2 : 1) {
      bits.skip(5)
      if bits.read(1) == 1 { bits.skip(8) }
    }
    guard bits.read(1) == 1 else { return }
    let map = bits.read(16)
    for speaker in 0..<8 where map >> (10 - speaker) & 1 == 1 { places |= 1 << speaker }
    if map >> 1 & 1 == 1 { places |= 1 << 8 }
  }
}
