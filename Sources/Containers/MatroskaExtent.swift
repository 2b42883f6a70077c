/// Where a Matroska file ends by its header.
enum MatroskaExtent {
  /// Where the segment of a Matroska file ends (RFC 8794, 4 and RFC 9559, 5.1); a live one doesn't
  /// say.
  static func end(_ head: [UInt8]) -> Int? {
    guard head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]), let header = number(head, 4) else {
      return nil
    }
    let place = header.end + header.value
    guard place < head.count - 12, head[place...].starts(with: [0x18, 0x53, 0x80, 0x67]),
      let segment = number(head, place + 4), segment.value < 1 << 55
    else { return nil }
    return segment.end + segment.value
  }

  /// A number of EBML: as many bytes follow its first as that has zeros in front. All ones say that
  /// it isn't known.
  private static func number(_ bytes: [UInt8], _ place: Int) -> (value: Int, end: Int)? {
    guard bytes.indices.contains(place) else { return nil }
    let length = bytes[place].leadingZeroBitCount + 1
    guard length <= 8, place + length <= bytes.count else { return nil }
    let rest = bytes[place + 1..<place + length]
    let value = rest.reduce(Int(bytes[place]) & (0xff >> length)) { $0 << 8 | Int($1) }
    return value == 1 << (7 * length) - 1 ? nil : (value, place + length)
  }
}
