import GStreamer

/// The element after a file's video stream that says when each is decoded, where the file doesn't,
/// as Matroska. A muxer that has to guess would present them at other times.
final class DecodeTimer: ElementBody {
  /// By how much such a stream's own times move, in nanoseconds: the first frames are decoded
  /// before time zero, and no buffer can say so. Running times stay the same.
  private static let offset: UInt64 = 1000 * 3_600_000_000_000

  private let output: Pad
  private let constraint: Caps?
  private var times = DecodeTimes()
  /// Packets that are held back, and the events between them.
  private var items = ItemQueue()
  private var packetCount = 0
  /// Whether the stream's packets lack their decode times; not known before the first.
  private var lacksTimes: Bool?
  private var lastTime: UInt64 = 0
  /// Whether a packet has left.
  private var hasBegun = false
  /// The last segment from before that, and how many there were.
  private var opening: Event?
  private var openingCount = 0

  /// An element for packets that `constraint` describes.
  init(output: Pad, constraint: Caps?) {
    self.output = output
    self.constraint = constraint
  }

  func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
    if lacksTimes == nil { lacksTimes = buffer.decodeTime == nil && buffer.presentationTime != nil }
    guard lacksTimes == true else {
      let flow = sendHeld()
      return flow == .ok ? output.push(buffer) : flow
    }
    lastTime = buffer.presentationTime ?? lastTime
    times.add(Int64(clamping: lastTime))
    items.append(buffer)
    packetCount += 1
    return packetCount < DecodeTimes.window ? .ok : sendPacket()
  }

  func handle(_ event: consuming Event, on input: Int) -> Bool {
    switch event.kind {
    case .flushStart: return output.push(event)
    case .flushStop:
      discardHeld()
      return output.push(event)
    case .endOfStream:
      _ = sendHeld()
      return output.push(event)
    default:
      guard lacksTimes != false else { return output.push(event) }
      note(event)
      // How far times move shows with the first packet.
      items.append(event)
      return true
    }
  }

  /// Remembers the last segment before any packet has left, which counts for all of them.
  ///
  /// Matroska's demuxer begins with a segment that starts at its first packet, and gives another
  /// where a packet of another stream turns out to be earlier: the first frames, which came in
  /// between, would be presented too early.
  private func note(_ event: borrowing Event) {
    guard !hasBegun, case .segment = event.kind else { return }
    opening = event.share()
    openingCount += 1
  }

  private func send(_ event: consuming Event) -> Bool {
    if openingCount > 0, case .segment = event.kind {
      openingCount -= 1
      guard let last = opening.take() else { return true }
      return sendMoved(last)
    }
    return sendMoved(event)
  }

  private func sendMoved(_ event: consuming Event) -> Bool {
    guard lacksTimes == true, let moved = event.segment(movedBy: Self.offset) else {
      return output.push(event)
    }
    return output.push(moved)
  }

  /// Sends the first packet that is held back, and the events before it.
  private func sendPacket() -> Flow {
    while let item = items.popFirst() {
      switch consume item {
      case .event(let event): _ = send(event)
      case .buffer(var buffer):
        hasBegun = true
        packetCount -= 1
        let time = times.takeFirst()
        buffer.decodeTime = time.flatMap { UInt64(exactly: $0 + Int64(Self.offset)) }
        buffer.presentationTime = buffer.presentationTime.map { $0 + Self.offset }
        return output.push(buffer)
      }
    }
    return .ok
  }

  private func sendHeld() -> Flow {
    var flow = Flow.ok
    while flow == .ok, !items.isEmpty { flow = sendPacket() }
    return flow
  }

  private func discardHeld() {
    while items.popFirst() != nil {}
    packetCount = 0
    openingCount = 0
    opening = nil
    times = DecodeTimes()
  }

  func setActive(_ isActive: Bool, input: Int) {
    // A stream that is stopped may be in the middle of a call.
    if isActive { discardHeld() }
  }

  func caps(ofInput input: Int, filter: Caps?) -> Caps? {
    guard let peers = output.peerCaps(filter: filter) else { return constraint }
    return constraint?.intersection(peers) ?? peers
  }

  func caps(ofOutput output: Int, filter: Caps?) -> Caps? { constraint }
}
