import Containers

/// Which part of a movie each sample goes to: a pure state machine over its tracks.
///
/// A part begins with a key frame of one track, the leader. Samples of the others that are presented
/// from then on are in it, too, from a key frame of theirs on; so a track's samples are held until it
/// is known whether a part begins before them. None is lost, and none is in two parts.
struct PartSplitter: Sendable {
  /// A sample that was taken.
  struct Held: Sendable {
    var sample: MovieSample
    var bytes: [UInt8]
  }

  /// What is to be done next.
  enum Step: Sendable {
    case write(Held, track: Int)
    /// What follows is of another part, which begins at a time.
    case split(at: Int64)
  }

  /// How far tracks may be apart before none waits for another, in nanoseconds.
  private static let patience: Int64 = 5_000_000_000

  private let leader: Int
  private var held: [[Held]]
  private var hasEnded: [Bool]
  /// Whether the next sample of a track is of the next part.
  private var hasCrossed: [Bool]
  /// When the newest sample of the leader is presented; before the first, before all.
  private(set) var reach: Int64 = .min
  /// When the next parts begin, and how many samples of the leader each has before the next.
  private var borders: [(time: Int64, before: Int)] = []

  init(trackCount: Int, leader: Int) {
    self.leader = leader
    held = Array(repeating: [], count: trackCount)
    hasEnded = Array(repeating: false, count: trackCount)
    hasCrossed = hasEnded
  }

  /// Whether a part is about to begin.
  var isSplitting: Bool { !borders.isEmpty }

  /// When the next part begins; `nil` where that isn't known.
  var nextStart: Int64? { borders.first?.time }

  /// Whether a track has no more samples, held ones included.
  func isOver(_ track: Int) -> Bool { hasEnded[track] && held[track].isEmpty }

  /// How many bytes are held.
  var byteCount: Int { held.joined().reduce(0) { $0 + $1.bytes.count } }

  /// Takes a sample; `beginsPart` where a part is to begin with it, a key frame of the leader.
  mutating func append(_ new: Held, to track: Int, beginsPart: Bool = false) {
    if track == leader {
      if beginsPart {
        let before = borders.reduce(held[track].count) { $0 - $1.before }
        borders.append((new.sample.presentation, before))
      }
      reach = max(reach, new.sample.presentation)
    }
    held[track].append(new)
  }

  mutating func end(_ track: Int) { hasEnded[track] = true }

  /// The next step, as far as it is known.
  mutating func next() -> Step? {
    for track in held.indices {
      guard let first = held[track].first?.sample, isOfThisPart(first, track) else { continue }
      if track == leader, !borders.isEmpty { borders[0].before -= 1 }
      return .write(held[track].removeFirst(), track: track)
    }
    guard let border = borders.first, isReady(border.time) else { return nil }
    borders.removeFirst()
    hasCrossed = hasCrossed.map { _ in false }
    return .split(at: border.time)
  }

  /// Whether a track's first sample is known to be of the part that is being written.
  private mutating func isOfThisPart(_ sample: MovieSample, _ track: Int) -> Bool {
    let border = borders.first
    if track == leader { return border.map { $0.before > 0 } ?? true }
    guard let border else {
      if hasEnded[leader] || sample.presentation <= reach { return true }
      // The leader has gone silent.
      let last = held[track].last?.sample.presentation ?? sample.presentation
      return last &- sample.presentation > Self.patience
    }
    if hasCrossed[track] { return false }
    hasCrossed[track] = sample.isSync && sample.presentation >= border.time
    return !hasCrossed[track]
  }

  /// Whether every track has come as far as the next part, or has had its time.
  private func isReady(_ time: Int64) -> Bool {
    let isLate = reach > .min && reach &- time > Self.patience
    return held.indices.allSatisfy { track in
      track == leader || isOver(track) || hasCrossed[track] || (isLate && held[track].isEmpty)
    }
  }
}
