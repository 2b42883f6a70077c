import GStreamer
import GraphKitSystem

/// A track of a file that another process reads, as far as that has brought it.
struct IsolatedTrackState {
  let slots: SharedSlots
  /// What it was asked for.
  let wanted: IsolatedStream
  private(set) var format: FormatDescription?
  /// Caps that have come in part.
  private var caps = ""
  private var tags = IsolatedTags()
  /// The pieces that the process has, to be filled.
  var lent: [Int: SharedSlot] = [:]
  private var filled: [IsolatedSample] = []
  /// The samples of ``filled`` that were taken.
  private var taken = 0
  private(set) var hasEnded = false

  /// Bytes that a sample has at most, and those of caps.
  private static let mostBytes = 1 << 30
  private static let mostCaps = 16 << 20

  init(_ stream: IsolatedStream, slots: SharedSlots) {
    (wanted, self.slots) = (stream, slots)
  }

  /// Pieces that are with the process, or hold what wasn't taken yet.
  var busyCount: Int { lent.count + Set(filled[taken...].map(\.lease.slot.number)).count }

  /// What was there before, if anything.
  mutating func next() -> IsolatedReader.Step? {
    guard taken < filled.count else { return hasEnded ? .ended : nil }
    defer {
      taken += 1
      if taken == filled.count { (filled, taken) = ([], 0) }
    }
    return .sample(filled[taken])
  }

  /// Takes what is said of the track; `false` where that can't be. `forget` has the process forget a
  /// piece.
  mutating func take(_ reply: IsolationReply, forget: (Int) -> Bool) -> Bool {
    switch reply {
    case .format(_, let caps, let isWhole): return add(caps, isWhole: isWhole)
    case .tag(_, let ofFile, let name, let text):
      return wanted.packets != nil && tags.add(name, text, ofFile: ofFile)
    case .picture(_, let ofFile, let kind, let number, let byteCount):
      guard wanted.packets != nil, byteCount <= IsolatedTags.largestPicture,
        let slot = lent.removeValue(forKey: number)
      else { return false }
      let lease = SharedSlots.Lease(slot, of: slots)
      guard let bytes = lease.slot.region.bytes(at: 0, count: byteCount) else { return false }
      tags.add(AttachedPicture(bytes, kind: kind), ofFile: ofFile)
    case .needs(_, let number, let byteCount):
      guard let slot = lent.removeValue(forKey: number), byteCount <= Self.mostBytes,
        byteCount > slot.region.byteCount
      else { return false }
      slots.grow(to: byteCount)
      return forget(number)
    case .samples(_, let number, let samples): return add(samples, in: number)
    case .end:
      guard !hasEnded else { return false }
      hasEnded = true
    default: return false
    }
    return true
  }

  private mutating func add(_ caps: String, isWhole: Bool) -> Bool {
    self.caps += caps
    guard self.caps.utf8.count <= Self.mostCaps else { return false }
    guard isWhole else { return true }
    defer { self.caps = "" }
    guard let caps = Caps(self.caps), caps.isPlain else { return false }
    let format = FormatDescription(caps: caps)
    guard wanted.packets == nil ? format.isWholeMedia : format.isOfPackets(of: wanted.port) else {
      return false
    }
    self.format = format
    return true
  }

  private mutating func add(_ samples: [IsolationReply.Placed], in number: Int) -> Bool {
    guard let slot = lent.removeValue(forKey: number), let format, !samples.isEmpty,
      samples.allSatisfy({ ($0.packet == nil) == (wanted.packets == nil) })
    else { return false }
    let lease = SharedSlots.Lease(slot, of: slots)
    var new = samples.map { IsolatedSample(placed: $0, format: format, lease: lease) }
    new[0].tags = tags.take()
    filled += new
    return true
  }
}

extension FormatDescription {
  /// Whether it is raw audio or video in ordinary memory.
  fileprivate var isWholeMedia: Bool {
    let text = capsText
    return text.hasPrefix("audio/x-raw,") || text.hasPrefix("video/x-raw,")
  }

  /// Whether it is one of packets that streams of a port may have.
  fileprivate func isOfPackets(of port: String) -> Bool {
    if port.hasPrefix("text") { return format.kind == .text }
    return format.kind == (port.hasPrefix("video") ? .encodedVideo : .encodedAudio)
  }
}
