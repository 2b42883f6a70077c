import GraphKitSystem

extension Element {
  /// Has packets of video leave a parser, or those in a bin, with the durations that they came with. By
  /// itself it (1.22) gives all of them the length of the stream's rate: the last frame of a file, after
  /// which none comes, would be gone too soon.
  package func keepDurations() {
    guard !isBin else {
      onChild { if $0.isVideoParser { $0.keepDurations() } }
      return
    }
    guard let sink = pad("sink"), let source = pad("src"), sink.mayCarryVideo else { return }
    let held = Monitor(PacketDurations())
    sink.replaceBuffers { buffer in
      held.withLock { $0.enter(buffer.presentationTime, buffer.duration) }
      return buffer
    }
    source.replaceBuffers { buffer in
      guard let duration = held.withLock({ $0.leave(buffer.presentationTime) }),
        duration != buffer.duration
      else { return buffer }
      var buffer = buffer
      buffer.duration = duration
      return buffer
    }
  }
}

extension Pad {
  /// Whether its element takes encoded video.
  fileprivate var mayCarryVideo: Bool {
    let caps = possibleCaps?.description ?? ""
    return caps.contains("video/") || caps.contains("image/")
  }
}

/// How long the packets are that a parser holds, by their times.
private struct PacketDurations {
  /// More than a parser holds: it may drop some.
  private static let most = 64

  private var held: [(time: UInt64, duration: UInt64)] = []

  mutating func enter(_ time: UInt64?, _ duration: UInt64?) {
    guard let time, let duration, duration > 0 else { return }
    if held.count == Self.most { held.removeFirst() }
    held.append((time, duration))
  }

  mutating func leave(_ time: UInt64?) -> UInt64? {
    guard let index = held.firstIndex(where: { $0.time == time }) else { return nil }
    // A parser may make several of a packet, all of its time.
    defer { held.removeSubrange(..<index) }
    return held[index].duration
  }
}
