/// A FLAC file of frames that aren't compressed, with headers as a test wants them (RFC 9639).
struct FLACStream {
  struct Format: Equatable {
    var rate = 16_000
    var channels = 1
    var bits = 16
  }

  private(set) var bytes = Array("fLaC".utf8)

  /// A file whose first block says its format and the sizes of its blocks, and nothing else.
  init(_ format: Format, blocks: ClosedRange<Int>) {
    bytes += [0x80, 0, 0, 34]
    for size in [blocks.lowerBound, blocks.upperBound] { bytes += Self.big(size, bytes: 2) }
    bytes += [UInt8](repeating: 0, count: 6)
    let fields = format.rate << 12 | (format.channels - 1) << 9 | (format.bits - 1) << 4
    bytes += Self.big(fields, bytes: 4) + [UInt8](repeating: 0, count: 20)
  }

  /// Adds a frame with some number, of the same samples for each channel.
  mutating func add(
    _ samples: some Collection<Int16>, number: Int, _ format: Format, isVariable: Bool = false
  ) {
    let bits: UInt8 = [8: 1, 16: 4, 24: 6][format.bits, default: 0]
    var frame: [UInt8] = [0xff, isVariable ? 0xf9 : 0xf8, 0x7d]
    frame.append(UInt8(format.channels - 1) << 4 | bits << 1)
    frame += Self.coded(number)
    frame += Self.big(samples.count - 1, bytes: 2) + Self.big(format.rate, bytes: 2)
    frame.append(UInt8(Self.headerCheck.remainder(of: frame)))
    var channel: [UInt8] = [2]
    for sample in samples {
      let value = UInt32(bitPattern: Int32(sample)) << 16
      channel.append(UInt8(value >> 24))
      if format.bits > 8 { channel.append(UInt8(value >> 16 & 0xff)) }
      if format.bits > 16 { channel.append(0) }
    }
    for _ in 0..<format.channels { frame += channel }
    bytes += frame + Self.big(Self.frameCheck.remainder(of: frame), bytes: 2)
  }

  private static let headerCheck = Check(0x07, bits: 8)
  private static let frameCheck = Check(0x8005, bits: 16)

  /// A number as UTF-8 has it, surrogates included.
  private static func coded(_ number: Int) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(number)] }
    let count = number < 0x800 ? 2 : number < 0x1_0000 ? 3 : 4
    let rest = (0..<count - 1).reversed().map { UInt8(0x80 | number >> (6 * $0) & 0x3f) }
    let mark: UInt8 = ~(0xff >> UInt8(count))
    return [mark | UInt8(number >> (6 * (count - 1)))] + rest
  }

  private static func big(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// The remainder of bytes by a polynomial, byte by byte from a table.
private struct Check {
  private let table: [Int]
  private let bits: Int

  init(_ polynomial: Int, bits: Int) {
    self.bits = bits
    let (top, mask) = (1 << (bits - 1), 1 << bits - 1)
    table = (0..<256).map { byte in
      (0..<8).reduce(byte << (bits - 8)) { value, _ in
        (value << 1 ^ (value & top == 0 ? 0 : polynomial)) & mask
      }
    }
  }

  func remainder(of bytes: [UInt8]) -> Int {
    var value = 0
    for byte in bytes {
      value = (value << 8 ^ table[value >> (bits - 8) ^ Int(byte)]) & (1 << bits - 1)
    }
    return value
  }
}
