import GStreamer

/// Puts right the boxes that a muxer writes, on their way to the file.
enum MovieRepair {
  /// Looks at a buffer, and changes it where it is a whole `moof` or `moov` box with a fault.
  static func repair(_ buffer: inout Buffer) {
    guard isBox(buffer), let original = bytes(of: buffer) else { return }
    var data = MovieBytes(bytes: original)
    data.repairFragment()
    data.hideTracksWithoutFormat()
    guard data.bytes != original, var map = MutableBufferMap(&buffer) else { return }
    var span = map.mutableSpan(of: UInt8.self, from: 0, count: original.count)
    for index in span.indices { span[index] = data.bytes[index] }
  }

  /// Whether a buffer is one of the boxes, and not samples that happen to begin like it.
  private static func isBox(_ buffer: borrowing Buffer) -> Bool {
    let size = buffer.size
    guard size >= 16, let map = BufferMap(buffer) else { return false }
    let head = map.span(of: UInt8.self, from: 0, count: 8)
    guard head.count == 8, head[4] == UInt8(ascii: "m"), head[5] == UInt8(ascii: "o") else {
      return false
    }
    return (0..<4).reduce(0) { $0 << 8 | Int(head[$1]) } == size
  }

  private static func bytes(of buffer: borrowing Buffer) -> [UInt8]? {
    guard let map = BufferMap(buffer) else { return nil }
    let span = map.span(of: UInt8.self, from: 0, count: map.size)
    return span.indices.map { span[$0] }
  }
}
