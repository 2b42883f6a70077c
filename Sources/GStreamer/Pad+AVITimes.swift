import CGStreamer
import GraphKitSystem

extension Pad {
  /// Corrects when packets of MPEG-4 video from an AVI file are presented. The file doesn't know it, and
  /// its reader (GStreamer 1.22) says of key frames alone that it is when they are decoded.
  ///
  /// With B frames that is wrong by a few frames, and a decoder that believes it gives all that follows too
  /// early: packets say then only when they are decoded. Without them it is right of all packets, which a
  /// copy needs. After a jump, and where packets hold two frames, as DivX and Xvid write them, decode times
  /// alone don't show when frames are presented either; they are left as they are.
  func correctTimesOfAVI() {
    let stream = Monitor(AVITimes())
    guardFormat { _, caps in
      stream.withLock { $0 = AVITimes(caps) }
      return true
    }
    replaceBuffers { buffer in
      let change = stream.withLock { $0.change(of: buffer) }
      guard change != .none else { return buffer }
      var buffer = buffer
      buffer.makeWritable()
      buffer.presentationTime = change == .drop ? nil : buffer.decodeTime
      return buffer
    }
  }
}

/// What is known of the order of a stream's packets.
private struct AVITimes {
  enum Change { case none, drop, presentAsDecoded }

  private var isMPEG4 = false
  private var isFirst = true
  /// Whether there are B frames; `nil` where that isn't known.
  private var isReordered: Bool?
  /// Packets that are still to be looked into: where some hold two frames, the first of them come soon.
  private var unknown = 50

  init() {}

  init(_ caps: Caps) {
    let text = caps.description
    switch text.prefix(while: { $0 != "," }) {
    case "video/mpeg": isMPEG4 = text.contains("mpegversion=(int)4")
    case "video/x-divx", "video/x-xvid": isMPEG4 = true
    default: isMPEG4 = false
    }
  }

  mutating func change(of packet: borrowing Buffer) -> Change {
    guard isMPEG4 else { return .none }
    look(into: packet)
    defer { isFirst = false }
    if !isFirst, isReordered == true, packet.isDiscontinuity { isMPEG4 = false }
    guard isMPEG4, let reordered = isReordered, packet.decodeTime != nil else { return .none }
    guard reordered else { return packet.presentationTime == nil ? .presentAsDecoded : .none }
    return !isFirst && packet.presentationTime == packet.decodeTime ? .drop : .none
  }

  private mutating func look(into packet: borrowing Buffer) {
    // A B frame may come at any time.
    guard unknown > 0 || isReordered == false else { return }
    unknown = max(0, unknown - 1)
    let parts = packet.visualParts
    if isFirst { isReordered = parts.isReordered }
    if parts.frames > 1 || isReordered == false && parts.hasBFrame { isMPEG4 = false }
  }
}

extension Buffer {
  /// How many frames (VOPs) of MPEG-4 video it holds, whether one is a B frame, and whether its header says
  /// that there are any, by their start codes (ISO/IEC 14496-2, 6.2).
  fileprivate var visualParts: (frames: Int, hasBFrame: Bool, isReordered: Bool?) {
    guard let map = BufferMap(self) else { return (0, false, nil) }
    let bytes = map.span(of: UInt8.self, from: 0, count: map.size)
    var (frames, hasBFrame, isReordered, zeros) = (0, false, Bool?.none, 0)
    var index = 0
    while index + 2 < bytes.count {
      if bytes[index] == 1, zeros >= 2 {
        let code = bytes[index + 1]
        if code == 0xB6 {
          frames += 1
          if bytes[index + 2] >> 6 == 2 { hasBFrame = true }
        }
        if 0x20...0x2F ~= code { isReordered = bytes.areReordered(from: index + 2) }
      }
      zeros = bytes[index] == 0 ? zeros + 1 : 0
      index += 1
    }
    return (frames, hasBFrame, isReordered)
  }
}

extension Span<UInt8> {
  /// Whether a video object layer, whose header begins at a byte, says that it has a delay (6.2.3):
  /// `low_delay` is 0. `nil` where it doesn't say.
  fileprivate func areReordered(from start: Int) -> Bool? {
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
    guard bits(1) == 1 else { return nil }
    _ = bits(2)
    return bits(1) == 0
  }
}
