/// Reads numbers of any count of bits, the highest first. Past the end are zeros.
struct BitReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

  /// Whether more was read than there is.
  var isExhausted: Bool { position > bytes.count * 8 }

  /// The next bits as a number, up to 32 of them.
  mutating func read(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      let bit =
        position < bytes.count * 8 ? Int(bytes[position >> 3]) >> (7 - position & 7) & 1 : 0
      value = value << 1 | bit
      position += 1
    }
    return value
  }

  /// Whether the next bit is set.
  mutating func readFlag() -> Bool { read(1) == 1 }

  mutating func skip(_ count: Int) { position += count }

  /// A number of the Exp-Golomb code (ITU-T H.264, 9.1), as large as 32 bits hold.
  mutating func readExponential() -> Int {
    var zeros = 0
    while zeros < 32, !isExhausted, !readFlag() { zeros += 1 }
    return zeros < 32 ? 1 << zeros - 1 + read(zeros) : Int(UInt32.max)
  }

  /// The same with a sign (9.1.1).
  mutating func readSignedExponential() -> Int {
    let code = readExponential()
    return code % 2 == 0 ? -(code / 2) : code / 2 + 1
  }
}
