/// Where a Matroska file ends by its header.
enum MatroskaExtent {
  /// Where the segment of a Matroska file ends (RFC 8794, 4 and RFC 9559, 5.1); a live one doesn't
  /// say.
  static func end(_ head: [UInt8]) -> Int? {
    guard head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]), let header = number(head, 4) else {
      return nil
    }
    let offset = header.end + header.value
    guard offset < head.count - 12, head[offset...].starts(with: [0x18, 0x53, 0x80, 0x67]),
      let segment = number(head, offset + 4), segment.value < 1 << 55
    else { return nil }
    return segment.end + segment.value
  }

  /// A number of EBML: as many bytes follow its first as that has zeros in front. All ones say that
  /// it isn't known.
  private static func number(_ bytes: [UInt8], _ offset: Int) -> (value: Int, end: Int)? {
    guard bytes.indices.contains(offset) else { return nil }
    let length = bytes[offset].leadingZeroBitCount + 1
    guard length <= 8, offset + length <= bytes.count else { return nil }
    let rest = bytes[offset + 1..<offset + length]
    let value = rest.reduce(Int(bytes[offset]) & (0xff >> length)) { $0 << 8 | Int($1) }
    return value == 1 << (7 * length) - 1 ? nil : (value, offset + length)
  }
}
