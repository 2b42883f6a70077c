import GStreamer

/// The element behind a file's stream of pictures that says when each is decoded, where the file
/// doesn't, as Matroska. A muxer that has to guess would present them at other times.
final class DecodeTimer: ElementBody {
  /// By how much such a stream's own times move, in nanoseconds: the first pictures are decoded
  /// before time zero, and no buffer can say so. Running times stay the same.
  private static let offset: UInt64 = 1000 * 3_600_000_000_000

  private let output: Pad
  private let constraint: Caps?
  private var times = DecodeTimes()
  private var items = ItemQueue()
  /// Whether the stream's packets lack their decode times; not known before the first.
  private var lacksTimes: Bool?
  private var lastTime: UInt64 = 0

  /// An element for packets that `constraint` describes.
  init(output: Pad, constraint: Caps?) {
    self.output = output
    self.constraint = constraint
  }

  func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
    if lacksTimes == nil {
      lacksTimes = buffer.decodeTime == nil && buffer.presentationTime != nil
      _ = sendHeld()
    }
    guard lacksTimes == true else { return output.push(buffer) }
    lastTime = buffer.presentationTime ?? lastTime
    times.add(Int64(clamping: lastTime))
    items.append(buffer)
    return items.count < DecodeTimes.window ? .ok : sendFirst()
  }

  func handle(_ event: consuming Event, on input: Int) -> Bool {
    switch event.kind {
    case .flushStop:
      discardHeld()
      return output.push(event)
    case .flushStart: return output.push(event)
    case .streamStart, .caps, .endOfStream:
      _ = sendHeld()
      return output.push(event)
    case .segment where lacksTimes != nil:
      _ = sendHeld()
      return send(event)
    case .other where lacksTimes != nil: return output.push(event)
    case .segment, .other:
      // How far times move shows with the first packet.
      items.append(event)
      return true
    }
  }

  private func send(_ event: consuming Event) -> Bool {
    guard lacksTimes == true, let moved = event.segment(movedBy: Self.offset) else {
      return output.push(event)
    }
    return output.push(moved)
  }

  private func sendFirst() -> Flow {
    guard let item = items.popFirst() else { return .ok }
    switch consume item {
    case .event(let event):
      _ = send(event)
      return .ok
    case .buffer(var buffer):
      let time = times.takeFirst()
      buffer.decodeTime = time.flatMap { UInt64(exactly: $0 + Int64(Self.offset)) }
      buffer.presentationTime = buffer.presentationTime.map { $0 + Self.offset }
      return output.push(buffer)
    }
  }

  private func sendHeld() -> Flow {
    while !items.isEmpty {
      let flow = sendFirst()
      if flow != .ok { return flow }
    }
    return .ok
  }

  private func discardHeld() {
    while items.popFirst() != nil {}
    times = DecodeTimes()
  }

  func setActive(_ isActive: Bool, input: Int) {
    if !isActive { discardHeld() }
  }

  func caps(ofInput input: Int, filter: Caps?) -> Caps? {
    guard let peers = output.peerCaps(filter: filter) else { return constraint }
    return constraint?.intersection(peers) ?? peers
  }

  func caps(ofOutput output: Int, filter: Caps?) -> Caps? { constraint }
}
