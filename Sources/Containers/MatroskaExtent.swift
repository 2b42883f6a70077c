/// Where a Matroska file ends by its header.
enum MatroskaExtent {
  /// Where the segment of a Matroska file ends (RFC 8794, 4 and RFC 9559, 5.1); a live one doesn't
  /// say.
  static func end(_ head: [UInt8]) -> Int? {
    guard head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]), let header = EBML.number(head, 4) else {
      return nil
    }
    let offset = header.end + header.value
    guard offset < head.count - 12, head[offset...].starts(with: [0x18, 0x53, 0x80, 0x67]),
      let segment = EBML.number(head, offset + 4), segment.value < 1 << 55
    else { return nil }
    return segment.end + segment.value
  }
}
