import GStreamer
import GraphKitSystem

/// The stretches of a stream in which no packet is presented though some could be: the widest between
/// two, and what is after the last.
struct PacketGap {
  /// Packets come in the order in which they are decoded, which may be another by so many.
  private static let reordered = 17

  /// How long the stream is by its file, in nanoseconds; 0 where that isn't known.
  private let length: UInt64
  private var waiting: [UInt64] = []
  private var first: UInt64?
  private var last: UInt64 = 0
  private var count: UInt64 = 0
  private var widest: Range<UInt64> = 0..<0

  init(length: UInt64 = 0) { self.length = length }

  /// Takes the time of the next packet, in nanoseconds.
  mutating func add(_ time: UInt64) {
    let place = waiting.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0
    waiting.insert(time, at: place)
    if waiting.count > Self.reordered { present(waiting.removeFirst()) }
  }

  private mutating func present(_ time: UInt64) {
    guard first != nil else { return (first, last) = (time, time) }
    guard time > last else { return }
    if time - last > widest.upperBound - widest.lowerBound { widest = last..<time }
    (last, count) = (time, count + 1)
  }

  /// The stretches, once all packets came, as far as they are wider than others are: a stream of variable
  /// rate has some, too.
  mutating func finish() -> [Range<UInt64>] {
    for time in waiting { present(time) }
    waiting = []
    guard let first, count > 1 else { return [] }
    let usual = (last - first) / count
    let rest = last..<max(last, length)
    return [(widest, usual * 3 / 2), (rest, usual * 3)].compactMap { stretch, least in
      stretch.upperBound - stretch.lowerBound > least ? stretch : nil
    }
  }
}

/// Packets that a file's reader doesn't find, since what is around them is damaged: it looks for what
/// it can read next, and says nothing.
extension RunContext {
  /// Warns where a stream lacks packets, and its file is damaged; `find` looks through the file, and is
  /// asked only of streams that may lack any. The file says of the stream that it is so long.
  func warnOfLostPackets(
    at pad: Pad, of port: PortReference, lasting length: MediaTime?,
    find: @escaping @Sendable () -> String?
  ) {
    let gap = Monitor(PacketGap(length: length?.clock ?? 0))
    pad.onData { data in
      if let time = data.presentationTime { gap.withLock { $0.add(time) } }
    }
    pad.onEndOfStream { [weak self] in
      guard let self, failure == nil, !isFinishing.load(ordering: .relaxed) else { return }
      let lost = gap.withLock { $0.finish() }
      guard !lost.isEmpty, let damage = find() else { return }
      let stretches = lost.map {
        "from \($0.lowerBound.secondsToTheMillisecond) to \($0.upperBound.secondsToTheMillisecond) s"
      }
      log.send(
        .warning(
          node: port.node,
          message: "\(damage), and \(port) has no packets \(stretches.joined(separator: " and "))"))
    }
  }
}
