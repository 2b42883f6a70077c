/// The four bytes that a frame of MP3 begins with (ISO/IEC 11172-3, 2.4.1.3, and 13818-3).
package struct MP3FrameHeader: Sendable {
  let word: Int
  /// Whether it is of MPEG-1; else of MPEG-2 or 2.5, with the lower rates.
  let isFirst: Bool
  let sampleRate: Int
  let isMono: Bool
  /// Bits a second; `nil` of the free format.
  let bitRate: Int?

  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    word = (0..<4).reduce(0) { $0 << 8 | Int(bytes[$1]) }
    let (version, rate) = (word >> 19 & 3, word >> 10 & 3)
    guard word >> 21 == 0x7ff, word >> 17 & 3 == 1, version != 1, rate < 3, word >> 12 & 15 != 15
    else { return nil }
    isFirst = version == 3
    sampleRate = [44_100, 48_000, 32_000][rate] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    isMono = word >> 6 & 3 == 3
    let index = word >> 12 & 15
    bitRate = index == 0 ? nil : Self.bitRates(isFirst: isFirst)[index - 1] * 1_000
  }

  /// Samples of each channel that a frame of MP3 decodes to; `nil` for what is none.
  package static func samples(in frame: Span<UInt8>) -> Int? { Self(frame)?.samples }

  /// Samples of each channel that it decodes to.
  var samples: Int { isFirst ? 1_152 : 576 }

  /// Where the audio of a frame begins, and the header of a file is in place of that.
  var sideEnd: Int { 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)) }

  /// The bit rates that there are, in kbit/s, from index 1 on.
  static func bitRates(isFirst: Bool) -> [Int] {
    isFirst
      ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      : [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  }

  /// The head of a frame like it, without checksum or padding, that has so many bytes at least, and how
  /// many it has.
  func frame(ofAtLeast count: Int) -> (head: Int, size: Int)? {
    for (index, rate) in Self.bitRates(isFirst: isFirst).enumerated() {
      let size = samples / 8 * rate * 1_000 / sampleRate
      guard size >= count else { continue }
      return (word & ~0xf200 | (index + 1) << 12 | 1 << 16, size)
    }
    return nil
  }
}
