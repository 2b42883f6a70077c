import System

/// How much audio a FLAC file says that it has, and how much it has (RFC 9639, 8.2 and 9.1).
struct FLACExtent {
  private let file: File
  private let blockSize: Int
  private let sampleRate: Int
  private let sampleCount: Int

  package init?(_ file: File, _ head: [UInt8]) {
    let data = MovieBytes(bytes: head)
    guard head.count >= 42, head[4] & 0x7f == 0, let block = data.u16(8),
      let fields = data.integer(at: 18, bytes: 7), let count = data.integer(at: 22, bytes: 4)
    else { return nil }
    self.file = file
    blockSize = data.u16(10) ?? block
    sampleRate = fields >> 36
    sampleCount = (Int(head[21]) & 0xf) << 32 | count
    guard block > 0, sampleRate > 0, sampleCount > 0 else { return nil }
  }

  func shortfall(of path: String) -> String? {
    guard let end = lastEnd else { return nil }
    let missing = sampleCount - end
    guard missing > 0 else { return nil }
    let seconds = [end, sampleCount].map { Double($0 * 1_000 / sampleRate) / 1_000 }
    return "`\(path)` was cut off: it has \(seconds[0]) s of the \(seconds[1]) s that it says"
  }

  /// About where the last frame in the file ends, in samples; `nil` where none is found.
  private var lastEnd: Int? {
    // No frame is longer than its samples are without any compression, in eight channels.
    let count = min(file.size, 2 * blockSize * 8 * 4 + 64)
    guard let bytes = try? file.read(at: file.size - count, count: count) else { return nil }
    for place in bytes.indices.reversed() where bytes[place] == 0xff {
      if let end = frameEnd(bytes[place...].prefix(16)) { return end }
    }
    return nil
  }

  /// Where a frame ends whose header is there, by its own number; `nil` for other bytes.
  private func frameEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    let head = Array(bytes)
    guard head.count >= 7, head[1] & 0xfe == 0xf8, head[3] & 1 == 0 else { return nil }
    let extra = max(1, (~head[4]).leadingZeroBitCount)
    guard extra <= 7 else { return nil }
    var length = 4 + extra
    let number = head[5..<min(length, head.count)].reduce(
      Int(head[4]) & (extra == 1 ? 0x7f : 0x7f >> extra)
    ) { $0 << 6 | Int($1 & 0x3f) }
    length += [6: 1, 7: 2][head[2] >> 4, default: 0]
    length += [12: 1, 13: 2, 14: 2][head[2] & 15, default: 0]
    guard length < head.count, Self.checksum(head[..<length]) == head[length] else { return nil }
    return (head[1] & 1 == 0 ? number * blockSize : number) + blockSize
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { value, _ in value << 1 ^ (value & 0x80 == 0 ? 0 : 7) }
    }
  }
}
