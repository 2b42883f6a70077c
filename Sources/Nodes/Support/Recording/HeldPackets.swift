import GraphKit

/// An encoded sample that may be recorded later.
final class HeldPacket: Sendable {
  let sample: SampleBuffer
  let track: Int
  /// When it is presented, and until when, in nanoseconds of the run.
  let start: Int64
  let end: Int64

  init(_ sample: borrowing SampleBuffer, of track: Int, _ start: Int64, _ end: Int64) {
    (self.track, self.start, self.end) = (track, start, end)
    self.sample = sample.share()
  }
}

/// The newest samples of all tracks, in the order in which they came, from a key frame of one track
/// on: the leader, which may change.
struct HeldPackets: Sendable {
  var leader: Int
  private var items: [HeldPacket] = []
  private(set) var byteCount = 0

  /// The most bytes that are held.
  static let mostBytes = 512 << 20

  init(leader: Int) { self.leader = leader }

  private func isKeyFrame(_ item: HeldPacket) -> Bool { item.track == leader && item.sample.isSync }

  /// When the key frame is presented that a recording from `time` on begins with: the last one up to
  /// then, or else the first that is held; `nil` where there is none.
  func beginning(at time: Int64) -> Int64? {
    let keyFrames = items.lazy.filter(isKeyFrame)
    return (keyFrames.last { $0.start <= time } ?? keyFrames.first)?.start
  }

  /// When the key frame after the first is presented.
  var secondBeginning: Int64? { items.lazy.filter(isKeyFrame).dropFirst().first?.start }

  /// Holds a sample.
  mutating func append(_ item: HeldPacket) {
    items.append(item)
    byteCount += item.sample.byteCount
  }

  /// Gives up what a recording that begins with the key frame of `time` hasn't; returns the track of
  /// each sample that was.
  mutating func discard(before time: Int64) -> [Int] {
    let place = items.firstIndex { isKeyFrame($0) && $0.start >= time } ?? items.endIndex
    var (kept, dropped): ([HeldPacket], [Int]) = ([], [])
    for (index, item) in items.enumerated() {
      // The leader's are in the order of decoding, each after those that it needs.
      let isEarly = item.track == leader ? index < place : item.start < time
      if isEarly { dropped.append(item.track) } else { kept.append(item) }
    }
    items = kept
    byteCount = kept.reduce(0) { $0 + $1.sample.byteCount }
    return dropped
  }

  /// Takes all of them out.
  mutating func takeAll() -> [HeldPacket] {
    defer { self = HeldPackets(leader: leader) }
    return items
  }
}
