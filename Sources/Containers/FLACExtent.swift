import GraphKitSystem

/// How much audio a FLAC file says that it has, and how much it has (RFC 9639, 8.2 and 9.1).
struct FLACExtent {
  private let file: File
  private let header: FLACHeader

  package init?(_ file: File, _ head: [UInt8]) {
    guard let header = FLACHeader(head), header.sampleCount > 0, header.blockSize > 0 else {
      return nil
    }
    (self.file, self.header) = (file, header)
  }

  func shortfall(of path: String) -> String? {
    guard let end = lastEnd else { return nil }
    let missing = header.sampleCount - end
    guard missing > 0 else { return nil }
    let seconds = [end, header.sampleCount].map {
      Double($0 * 1_000 / header.sampleRate) / 1_000
    }
    return "`\(path)` was cut off: it has \(seconds[0]) s of the \(seconds[1]) s that it says"
  }

  /// About where the last whole frame in the file ends, in samples; `nil` where none is found.
  private var lastEnd: Int? {
    // No frame is longer than its samples are without any compression, in eight channels.
    let count = min(file.size, 2 * header.blockSize * 8 * 4 + 64)
    guard let bytes = try? file.read(at: file.size - count, count: count) else { return nil }
    for place in bytes.indices.reversed() where bytes[place] == 0xff {
      let head = Array(bytes[place...].prefix(FLACFrame.longestHeader))
      let rest = bytes.span.extracting(place..<bytes.count)
      if let frame = FLACFrame(head.span), FLACFrame.isDecodable(rest) || endsNearEnd(rest) {
        return end(of: frame)
      }
    }
    return nil
  }

  /// Whether bytes are a frame and little else, such as the end of a line.
  private func endsNearEnd(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > FLACFrame.longestHeader else { return false }
    var checksum = FLACChecksum()
    for end in max(FLACFrame.longestHeader, bytes.count - Self.mostBehind)..<bytes.count
    where checksum.isIntact(bytes, upTo: end) {
      return true
    }
    return false
  }

  /// Bytes behind the last frame that no program calls a tag. By chance a cut frame looks whole to
  /// as many in one of some hundred.
  private static let mostBehind = 256

  /// Where a frame ends by its own number, at the latest.
  private func end(of frame: FLACFrame) -> Int {
    let start = frame.isVariable ? frame.number : frame.number * header.blockSize
    return start + header.blockSize
  }
}
