import GraphKit

/// The packets of a part of a stream: those that are presented in it, and before them those from
/// which they are decoded.
struct PacketRange: Sendable {
  private let range: MediaTimeRange
  private var held: [ReadySampleBuffer] = []
  private var ready: [ReadySampleBuffer] = []
  private var hasBegun = false
  private(set) var isOver = false
  /// Packets that are presented after the part, where one that is in it may yet be decoded from them.
  private var late: [ReadySampleBuffer] = []
  /// When the key frame is presented that the part is decoded from.
  private var keyTime: MediaTime?

  init(_ range: MediaTimeRange) { self.range = range }

  /// Takes the next packet of the stream.
  mutating func append(_ packet: ReadySampleBuffer) {
    let start = packet.presentationTime
    if hasBegun {
      let decode = packet.decodeTime.isNumeric ? packet.decodeTime : start
      if range.duration.isNumeric, decode >= range.end {
        isOver = true
      } else if range.duration.isNumeric, start >= range.end {
        late.append(packet)
      } else if !leadsToNothing(packet) {
        ready += late + [packet]
        late = []
      }
      return
    }
    if packet.isSync, !isNeeded(held, before: packet) { (held, keyTime) = ([], start) }
    if leadsToNothing(packet) { return }
    held.append(packet)
    let end = packet.duration.isNumeric ? start + packet.duration : start
    guard end > range.start || start >= range.start else { return }
    hasBegun = true
    guard !range.duration.isNumeric || start < range.end || !isVideo(packet) else {
      // What is in the part may be decoded after it, and what follows it is no part of it. The one before
      // may be on screen then.
      let isShown = held.dropLast().last.map { !$0.duration.isNumeric } ?? false
      (ready, late, held) = isShown ? (Array(held.dropLast()), [packet], []) : ([], held, [])
      return
    }
    (ready, held) = (held, [])
  }

  private func isVideo(_ packet: ReadySampleBuffer) -> Bool {
    packet.format.format.kind == .encodedVideo
  }

  /// Whether a frame is presented before the key frame that decoding begins with: it is decoded from
  /// others before that.
  private func leadsToNothing(_ packet: ReadySampleBuffer) -> Bool {
    guard let keyTime, isVideo(packet) else { return false }
    return packet.presentationTime < keyTime
  }

  /// Whether what is held has something of the part before a packet that could be decoded alone.
  private func isNeeded(_ held: [ReadySampleBuffer], before next: ReadySampleBuffer) -> Bool {
    guard !held.isEmpty, next.presentationTime > range.start else { return false }
    guard isVideo(next), held.allSatisfy(\.duration.isNumeric) else {
      return isReached(by: held, before: next)
    }
    // Frames between them come after a key frame of an open group.
    let end = held.map { $0.presentationTime + $0.duration }.max() ?? range.start
    return next.presentationTime - end > Self.rounding
  }

  /// By how much the times of some files are off, and more.
  private static let rounding = MediaTime(value: 2, timescale: 1_000)

  /// Whether packets that don't say how long they are last into the part: the next one begins in it.
  private func isReached(by held: [ReadySampleBuffer], before next: ReadySampleBuffer) -> Bool {
    guard let last = held.last, !last.duration.isNumeric else { return false }
    return next.presentationTime > range.start
  }

  /// The next packet of the part, where it is there.
  mutating func next() -> ReadySampleBuffer? { ready.isEmpty ? nil : ready.removeFirst() }
}
