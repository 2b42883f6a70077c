import Media

/// What an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) says of the audio that is decoded.
///
/// A decoder may double the rate (spectral band replication) and make stereo of mono (parametric
/// stereo) unless the header says that it won't: older streams leave it to be found out.
struct AACConfiguration: Equatable {
  /// Whether the decoded rate is the one that the stream states.
  var isRateSure = false
  /// Whether the decoded channels are those that the stream states.
  var isChannelCountSure = false

  /// - Parameters:
  ///   - header: the header's bytes in hexadecimal digits; `nil` for a stream without.
  ///   - rate: samples a second, as the stream states.
  ///   - channels: the channels, as the stream states.
  package init(header: String?, rate: Int, channels: Int) {
    let bits = header.map(Self.bits) ?? []
    let deniesReplication = Self.deniesReplication(bits)
    let isExtended = [5, 29].contains(Self.number(bits.prefix(5)))
    isRateSure = !isExtended && (rate > 24_000 || deniesReplication)
    isChannelCountSure = channels > 1 || (isRateSure && !isExtended)
  }

  /// Whether the extension after the general configuration says that nothing is replicated.
  private static func deniesReplication(_ bits: [Bool]) -> Bool {
    guard bits.count >= 33, number(bits.prefix(5)) == 2 else { return false }
    let hasRate = number(bits[5..<9]) == 15
    // Type, rate, channels, and three flags of which none may be set.
    let end = 5 + 4 + (hasRate ? 24 : 0) + 4 + 3
    guard bits.count >= end + 17, number(bits[(end - 3)..<end]) == 0 else { return false }
    return number(bits[end..<(end + 11)]) == 0x2b7 && number(bits[(end + 11)..<(end + 16)]) == 5
      && !bits[end + 16]
  }

  private static func bits(_ digits: String) -> [Bool] {
    digits.compactMap(\.hexDigitValue).flatMap { digit in
      (0..<4).map { digit >> (3 - $0) & 1 == 1 }
    }
  }

  private static func number(_ bits: ArraySlice<Bool>) -> Int {
    bits.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }
}

extension EncodedFormat {
  /// The format with only that of its audio which decoding leaves as it is: what a decoder will
  /// give, as far as that is certain before it runs; and with what a header says of its samples.
  package func sureOfDecoding(capsText: String) -> EncodedFormat {
    var format = self
    switch codec {
    case .opus:
      // Opus is decoded at 48 kHz; its header's rate is that of the audio before it was encoded
      // (RFC 7845, 5.1).
      format.sampleRate = 48_000
    case .aac:
      guard let sampleRate, let channels else { return format }
      let header = CapsStructure.all(in: capsText)?.first?.text("codec_data")
      let configuration = AACConfiguration(header: header, rate: sampleRate, channels: channels)
      if !configuration.isRateSure { format.sampleRate = nil }
      if !configuration.isChannelCountSure { format.channels = nil }
    default: format.bitDepth = LosslessDepth.bits(of: codec, capsText)
    }
    return format
  }
}
