import CGStreamer
import GraphKitSystem

extension Pad {
  /// Has packets of MPEG-4 video with B frames from an AVI file say when they are decoded, and not when
  /// they are presented, which the file doesn't know.
  ///
  /// Its reader (GStreamer 1.22) says of key frames that they are presented when they are decoded, which is
  /// wrong by a few frames, and a decoder that believes it gives all that follows too early. After a jump,
  /// and where packets hold two frames, as DivX and Xvid write them, decode times alone don't show when
  /// frames are presented either; they are left as they are.
  func dropGuessedTimes() {
    let stream = Monitor(GuessedTimes())
    guardFormat { _, caps in
      stream.withLock { $0 = GuessedTimes(caps) }
      return true
    }
    replaceBuffers { buffer in
      guard stream.withLock({ $0.areGuessed(of: buffer) }) else { return buffer }
      var buffer = buffer
      buffer.makeWritable()
      buffer.presentationTime = nil
      return buffer
    }
  }
}

/// Whether the presentation times of a stream's packets are guessed, as far as it is known.
private struct GuessedTimes {
  private var isReordered = false
  private var isFirst = true
  /// Packets that are still to be looked into: where some hold two frames, the first of them come soon.
  private var unknown = 50

  init() {}

  init(_ caps: Caps) {
    let name = caps.description.prefix { $0 != "," }
    isReordered = ["video/mpeg", "video/x-divx", "video/x-xvid"].contains(name)
  }

  mutating func areGuessed(of packet: borrowing Buffer) -> Bool {
    guard isReordered else { return false }
    if unknown > 0 {
      unknown -= 1
      let parts = packet.visualParts
      isReordered = parts.frames < 2 && (!isFirst || parts.hasBFrames)
    }
    defer { isFirst = false }
    if !isFirst, packet.isDiscontinuity { isReordered = false }
    return isReordered && !isFirst && packet.decodeTime != nil
      && packet.presentationTime == packet.decodeTime
  }
}

extension Buffer {
  /// How many frames (VOPs) of MPEG-4 video it holds, and whether its header says that there may be B
  /// frames, by their start codes (ISO/IEC 14496-2, 6.2).
  fileprivate var visualParts: (frames: Int, hasBFrames: Bool) {
    guard let map = BufferMap(self) else { return (0, false) }
    let bytes = map.span(of: UInt8.self, from: 0, count: map.size)
    var (frames, hasBFrames, zeros) = (0, false, 0)
    var index = 0
    while index + 1 < bytes.count {
      if bytes[index] == 1, zeros >= 2 {
        let code = bytes[index + 1]
        if code == 0xB6 { frames += 1 }
        if 0x20...0x2F ~= code { hasBFrames = bytes.areReordered(from: index + 2) }
      }
      zeros = bytes[index] == 0 ? zeros + 1 : 0
      index += 1
    }
    return (frames, hasBFrames)
  }
}

extension Span<UInt8> {
  /// Whether a video object layer, whose header begins at a byte, says that it has a delay (6.2.3):
  /// `low_delay` is 0.
  fileprivate func areReordered(from start: Int) -> Bool {
    var place = 0
    func bits(_ count: Int) -> Int {
      defer { place += count }
      return (place..<place + count).reduce(0) { value, bit in
        let byte = start + bit / 8
        return value * 2 + (byte < self.count ? Int(self[byte] >> (7 - bit % 8)) & 1 : 0)
      }
    }
    _ = bits(1 + 8)
    if bits(1) == 1 { _ = bits(4 + 3) }
    if bits(4) == 15 { _ = bits(8 + 8) }
    guard bits(1) == 1 else { return false }
    _ = bits(2)
    return bits(1) == 0
  }
}
