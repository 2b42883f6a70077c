/// What a frame of MP3 says of its bits (ISO/IEC 11172-3, 2.4.1, and 13818-3, 2.4.1).
package struct MP3Frame: Equatable {
  /// Whether it is of MPEG-1; else of MPEG-2 or 2.5, with the lower rates.
  let isFirst: Bool
  /// Where the side information is: after the header and its checksum, before the audio data.
  let sideInformation: Range<Int>
  /// Bytes of audio data in the frame.
  package let mainDataSize: Int
  /// How many bytes of audio before the frame's own belong to it.
  package let mainDataBegin: Int

  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 6 else { return nil }
    isFirst = bytes[1] & 0x18 == 0x18
    let isMono = bytes[3] & 0xc0 == 0xc0
    let start = bytes[1] & 1 == 0 ? 6 : 4
    sideInformation = start..<start + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    guard sideInformation.upperBound <= bytes.count else { return nil }
    mainDataSize = bytes.count - sideInformation.upperBound
    mainDataBegin =
      isFirst ? Int(bytes[start]) << 1 | Int(bytes[start + 1]) >> 7 : Int(bytes[start])
  }

  /// How far back a frame may reach.
  package var mostMainDataBegin: Int { isFirst ? 511 : 255 }

  /// Makes the frame one of silence that belongs before what follows all the same: its side
  /// information says that it has no bits of its own, and borrows what there is.
  package func silence(_ bytes: inout MutableSpan<UInt8>, borrowing count: Int) {
    for index in sideInformation where bytes.indices.contains(index) { bytes[index] = 0 }
    let start = sideInformation.lowerBound
    bytes[start] = UInt8(truncatingIfNeeded: isFirst ? count >> 1 : count)
    if isFirst { bytes[start + 1] = UInt8(count & 1) << 7 }
  }
}
