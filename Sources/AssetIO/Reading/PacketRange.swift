import GraphKit

/// The packets of a part of a stream: those that are presented in it, and before them those from
/// which they are decoded.
struct PacketRange: Sendable {
  private let range: MediaTimeRange
  private var held: [ReadySampleBuffer] = []
  private var ready: [ReadySampleBuffer] = []
  private var hasBegun = false
  private(set) var isOver = false

  init(_ range: MediaTimeRange) { self.range = range }

  /// Takes the next packet of the stream.
  mutating func append(_ packet: ReadySampleBuffer) {
    let start = packet.presentationTime
    if hasBegun {
      let decode = packet.decodeTime.isNumeric ? packet.decodeTime : start
      if range.duration.isNumeric, decode >= range.end {
        isOver = true
      } else if !range.duration.isNumeric || start < range.end {
        ready.append(packet)
      }
      return
    }
    if packet.isSync, !isReached(by: held, before: packet) { held = [] }
    held.append(packet)
    let end = packet.duration.isNumeric ? start + packet.duration : start
    guard end > range.start || start >= range.start else { return }
    hasBegun = true
    (ready, held) = (held, [])
  }

  /// Whether packets that don't say how long they are last into the part: the next one begins in it.
  private func isReached(by held: [ReadySampleBuffer], before next: ReadySampleBuffer) -> Bool {
    guard let last = held.last, !last.duration.isNumeric else { return false }
    return next.presentationTime > range.start
  }

  /// The next packet of the part, where it is there.
  mutating func next() -> ReadySampleBuffer? { ready.isEmpty ? nil : ready.removeFirst() }
}
