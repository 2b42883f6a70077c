/// What a file's first bytes say of containers that have no index: MPEG's program and transport
/// streams and FLV. GStreamer's demuxers of them begin with whichever of their streams they have
/// met by then, and what of the others is earlier would be lost.
package struct MultiplexHead {
  /// How many bytes are looked at.
  package static let byteCount = 600

  /// How many streams the header of an FLV file says that it has (Adobe Flash Video File Format
  /// Specification 10.1, E.2); 0 for other files.
  package let flashStreams: Int
  /// Whether it is one of these containers.
  package let isThere: Bool

  package init(_ head: [UInt8]) {
    let isFlash = head.count >= 5 && head.starts(with: "FLV".utf8)
    flashStreams = isFlash ? (head[4] & 5).nonzeroBitCount : 0
    isThere = flashStreams > 0 || Self.isSystemStream(head)
  }

  /// Whether it is a program stream, which begins with a pack (ISO/IEC 13818-1, 2.5.3.3), or a
  /// transport stream.
  private static func isSystemStream(_ head: [UInt8]) -> Bool {
    guard head.count == byteCount else { return false }
    return head.starts(with: [0, 0, 1, 0xba]) || transportPackets(head) != nil
  }

  /// Bytes before each packet of a transport stream, and from one to the next: packets of 188 bytes
  /// that begin with the same one (2.4.3.2), on discs each with four bytes before it.
  static func transportPackets(_ head: [UInt8]) -> (lead: Int, size: Int)? {
    guard head.count == byteCount else { return nil }
    return [(0, 188), (4, 192)].first { start, size in
      (0..<3).allSatisfy { head[start + $0 * size] == 0x47 }
    }
  }
}
