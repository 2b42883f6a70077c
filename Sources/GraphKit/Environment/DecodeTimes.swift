/// Finds when packets are decoded from when they are presented, where a file says only the latter.
///
/// Packets come in the order of decoding. Of a stream in which at most n packets come before one
/// that is presented earlier, each is decoded when the one n places before it in the order of
/// presentation is presented: never too late for itself, and each later than the last. What n is
/// shows in the packets, so some are held back; H.264 and HEVC have at most 16.
struct DecodeTimes {
  /// Packets that must be known before the first of them has its time for good.
  static let window = maximumDepth + 1
  private static let maximumDepth = 16
  /// An hour.
  private static let longestStep: Int64 = 3_600_000_000_000

  /// The n of the packets so far.
  private var depth = 0
  /// The latest presentation times so far, in order: all that later packets are compared with.
  private var latest: [Int64] = []
  /// Those that are held back, in order of decoding; of times of decoding once the first has left.
  private var held: [Int64] = []
  /// The time of decoding that was given last.
  private var last: Int64?

  init() {}

  /// Takes in the next packet's time of presentation, in nanoseconds.
  mutating func add(_ time: Int64) {
    let later = latest.count { $0 > time }
    latest.insert(time, at: latest.count - later)
    if latest.count > Self.window { latest.removeFirst() }
    let isDeeper = later > depth
    depth = max(depth, min(later, Self.maximumDepth))
    guard let last else { return held.append(time) }
    let planned = latest[max(latest.count - 1 - depth, 0)]
    if isDeeper { makeRoom(until: planned, since: last) }
    held.append(max(planned, held.last ?? last))
  }

  /// The time of decoding of the first packet that is held back.
  mutating func takeFirst() -> Int64? {
    guard !held.isEmpty else { return nil }
    if last == nil { begin() }
    let time = held.removeFirst()
    last = time
    return time
  }

  /// Gives the packets of the first window their times: the first n lie before the beginning.
  private mutating func begin() {
    let times = held.sorted()
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    // Frames that are years apart are those of a damaged file.
    let step = min(steps.filter { $0 > 0 }.min() ?? 0, Self.longestStep)
    held = times.indices.map { index in
      index < depth ? times[0] - Int64(depth - index) * step : times[index - depth]
    }
  }

  /// Has those that are held back decoded early enough for a packet that comes deeper in the order
  /// than any before: evenly, where they would be too late.
  private mutating func makeRoom(until end: Int64, since start: Int64) {
    let room = Int128(end - start)
    for index in held.indices {
      let part = room * Int128(index + 1) / Int128(held.count + 1)
      held[index] = min(held[index], start + Int64(part))
    }
  }
}
