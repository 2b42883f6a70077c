/// The first frame of an MP3 file, which holds no audio: how many frames and bytes follow, where the
/// hundredths of the file are, and what the encoder put before and after the audio (the "Info tag"
/// specification of Gabriel Bouvigne, revision 1).
struct XingFrame: Sendable {
  private let header: MP3FrameHeader
  private let head: Int
  private let size: Int
  private var frameCount = 0
  private var byteCount: Int
  private var sum: UInt16 = 0
  private var firstRate: Int?
  private var hasOneRate = true
  /// Where every so many frames begin, counted from this frame.
  private var places: [Int] = []
  private var step = 1

  /// Bytes of the header after the side information: its own, and LAME's.
  private static let length = 120 + 36

  /// A frame of a file whose frames are like one; `nil` where no such frame is large enough.
  init?(like header: MP3FrameHeader) {
    guard let (head, size) = header.frame(ofAtLeast: header.sideEnd + Self.length) else {
      return nil
    }
    (self.header, self.head, self.size, byteCount) = (header, head, size, size)
  }

  /// Counts a frame of audio.
  mutating func add(_ frame: Span<UInt8>) {
    if let rate = MP3FrameHeader(frame)?.bitRate {
      hasOneRate = hasOneRate && rate == firstRate ?? rate
      firstRate = firstRate ?? rate
    }
    if frameCount % step == 0 { places.append(byteCount) }
    if places.count > 4_096 {
      places = places.indices.filter { $0 % 2 == 0 }.map { places[$0] }
      step *= 2
    }
    frameCount += 1
    byteCount += frame.count
    Self.add(frame, to: &sum)
  }

  /// The frame, of a file whose audio ends at a frame of what is decoded; without numbers where that
  /// isn't known yet. Where the encoder's part of the beginning is unknown, LAME's fields are empty.
  func bytes(at end: Int?, lead: Int?) -> [UInt8] {
    var bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: head >> $0) }
    bytes += [UInt8](repeating: 0, count: header.sideEnd - 4)
    bytes += Array((hasOneRate ? "Info" : "Xing").utf8)
    func add(_ value: Int, _ count: Int) {
      for index in (0..<count).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
      }
    }
    if let end {
      add(15, 4)
      add(frameCount, 4)
      add(byteCount, 4)
      bytes += hundredths
      add(0, 4)
      if let lead, lead >= GaplessHeader.decoderDelay {
        addLAME(lead: lead, end: end, to: &bytes)
      }
    } else {
      add(0, 4)
    }
    bytes += [UInt8](repeating: 0, count: size - bytes.count)
    return bytes
  }

  private var hundredths: [UInt8] {
    (0..<100).map { index in
      let place =
        places.isEmpty ? 0 : places[min(index * frameCount / 100 / step, places.count - 1)]
      return UInt8(clamping: place * 256 / max(1, byteCount))
    }
  }

  /// Readers look at LAME's fields only after a name that they know.
  private func addLAME(lead: Int, end: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    func add(_ value: Int, _ count: Int, to bytes: inout [UInt8]) {
      for index in (0..<count).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
      }
    }
    bytes += Array("LAME3.100".utf8) + [hasOneRate ? 1 : 4, 0]
    add(0, 4 + 2 + 2 + 1, to: &bytes)
    bytes.append(UInt8(clamping: (firstRate ?? 0) / 1_000))
    let delay = min(0xfff, lead - GaplessHeader.decoderDelay)
    let padding = frameCount * header.samples - end + GaplessHeader.decoderDelay
    add(delay << 12 | min(0xfff, max(0, padding)), 3, to: &bytes)
    add(0, 1 + 1 + 2, to: &bytes)
    add(byteCount, 4, to: &bytes)
    add(Int(sum), 2, to: &bytes)
    var tagSum: UInt16 = 0
    Self.add(bytes.span, to: &tagSum)
    add(Int(tagSum), 2, to: &bytes)
    assert(bytes.count - start == 36)
  }

  /// The checksum of LAME's fields: polynomial 0x8005, the lowest bit first.
  private static func add(_ bytes: Span<UInt8>, to sum: inout UInt16) {
    for index in bytes.indices {
      sum = sum >> 8 ^ table[Int((sum ^ UInt16(bytes[index])) & 0xff)]
    }
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xa001 }
  }
}
