import CGStreamer
import GraphKitSystem

extension Pad {
  /// Has packets of MPEG-4 video from an AVI file say when they are decoded, and not when they are
  /// presented, which the file doesn't know.
  ///
  /// Its reader (GStreamer 1.22) says of key frames that they are presented when they are decoded. Where
  /// there are B frames, that is wrong by a few frames, and a decoder that believes it gives all that
  /// follows too early. A packet after a jump says both, so that there is a time to begin with. So do all
  /// where packets hold two frames, as DivX and Xvid write them: their decode times are too few.
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
      isReordered = packet.frameCount < 2
    }
    return isReordered && !packet.isDiscontinuity && packet.decodeTime != nil
      && packet.presentationTime == packet.decodeTime
  }
}

extension Buffer {
  /// How many frames (VOPs) of MPEG-4 video it holds, by their start codes (ISO/IEC 14496-2, 6.2.1).
  fileprivate var frameCount: Int {
    guard let map = BufferMap(self) else { return 0 }
    let bytes = map.span(of: UInt8.self, from: 0, count: map.size)
    var (count, zeros) = (0, 0)
    var index = 0
    while index + 1 < bytes.count {
      if bytes[index] == 1, zeros >= 2, bytes[index + 1] == 0xB6 { count += 1 }
      zeros = bytes[index] == 0 ? zeros + 1 : 0
      index += 1
    }
    return count
  }
}
