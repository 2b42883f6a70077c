import GStreamer

/// Whether a file ends where it says that it does. GStreamer's readers take the end of a file that
/// was cut off for that of its streams.
enum FileExtent {
  /// What is missing of a file, in words; `nil` where it is whole, or doesn't say how long it is.
  static func shortfall(of path: String, _ file: File) -> String? {
    guard let head = try? file.read(at: 0, count: 64) else { return nil }
    if head.starts(with: "fLaC".utf8) { return FLACExtent(file, head)?.shortfall(of: path) }
    guard let stated = movieEnd(of: file) ?? matroskaEnd(head) ?? GaplessHeader(file)?.end else {
      return nil
    }
    let missing = stated - file.size
    guard missing > 65_536 || missing > stated / 100 else { return nil }
    return "`\(path)` was cut off: its last \(missing) of \(stated) bytes are missing"
  }

  /// Where the last box of a movie ends (ISO/IEC 14496-12, 4.2).
  private static func movieEnd(of file: File) -> Int? {
    let end = file.size
    var (place, boxes) = (0, 0)
    // More boxes than the longest recording in fragments has.
    while place < end, boxes < 1_000_000 {
      guard let bytes = try? file.read(at: place, count: 16) else { return nil }
      let data = MovieBytes(bytes: bytes)
      guard let short = data.u32(0), let type = data.type(at: 4) else { return nil }
      guard place > 0 || ["ftyp", "moov", "mdat", "free", "skip", "wide"].contains(type),
        let size = short == 1 ? data.u64(8) : short, size >= 8, size < 1 << 60
      else { return nil }
      place += size
      boxes += 1
    }
    return place
  }

  /// Where the segment of a Matroska file ends (RFC 8794, 4 and RFC 9559, 5.1); a live one doesn't
  /// say.
  private static func matroskaEnd(_ head: [UInt8]) -> Int? {
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

/// How much sound a FLAC file says that it has, and how much it has (RFC 9639, 8.2 and 9.1).
private struct FLACExtent {
  private let file: File
  private let blockSize: Int
  private let sampleRate: Int
  private let sampleCount: Int

  init?(_ file: File, _ head: [UInt8]) {
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
    guard missing > sampleRate / 2 || missing > max(blockSize, sampleCount / 100) else {
      return nil
    }
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
