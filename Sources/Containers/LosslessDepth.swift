import Media

/// How many bits a sample of audio had before it was encoded without loss, by the header that is in the
/// stream's caps.
enum LosslessDepth {
  /// The bits of FLAC and ALAC; `nil` of other codecs, and where there is no header.
  static func bits(of codec: Codec, _ capsText: String) -> Int? {
    switch codec {
    case .flac: flac(capsText)
    case .alac: CapsStructure.all(in: capsText)?.first?.text("codec_data").flatMap(alac)
    default: nil
    }
  }

  /// The stream's first block (RFC 9639, 8.2), in which five bits after 103 say it, one less than it is.
  private static func flac(_ capsText: String) -> Int? {
    guard let headers = capsText.firstRange(of: "streamheader="),
      let mark = capsText[headers.upperBound...].firstRange(of: "664c6143")
    else { return nil }
    let block = bytes(capsText[mark.upperBound...].prefix(36))
    guard block.count == 18 else { return nil }
    return (Int(block[16] & 1) << 4 | Int(block[17] >> 4)) + 1
  }

  /// The "magic cookie" of Apple's reference implementation: in MP4 a box, after whose version four bytes
  /// say the length of packets, then one the version that can be read, and one the bits.
  private static func alac(_ digits: String) -> Int? {
    let bytes = bytes(digits[...])
    let isBox = bytes.count >= 36 && bytes[4..<8].elementsEqual("alac".utf8)
    let start = isBox ? 12 : 0
    guard bytes.count >= start + 24 else { return nil }
    return Int(bytes[start + 5])
  }

  private static func bytes(_ digits: Substring) -> [UInt8] {
    let values = digits.prefix(while: \.isHexDigit).compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count - 1, by: 2).map {
      UInt8(values[$0] << 4 | values[$0 + 1])
    }
  }
}
