import GStreamer

/// Where a stream is cut, in the running time of its file, in nanoseconds.
struct StreamCut: Sendable {
  /// The first moment of the range.
  let start: UInt64
  /// The first moment after it; `nil` where the stream's end is the range's.
  let stop: UInt64?
  /// How long the part of it is that the file has, where that is known.
  let length: UInt64?
  /// How far inside of their first sample the stream's own segments begin.
  let inset: UInt64

  /// Whether packets are copied, those before the range with times before it.
  let isCopy: Bool

  /// The running time at which a range begins that is copied: no buffer can have one before zero, and
  /// none comes so much earlier.
  static let copyStart: UInt64 = 1000 * 3_600_000_000_000

  /// How far into what it gives a run is at a running time in seconds, which may be that of a copy.
  static func position(at time: Double) -> Double {
    let start = Double(copyStart) / 1e9
    // What comes before a range that is copied belongs to it.
    return time > start / 2 ? max(0, time - start) : time
  }

  /// A range of a file's stream.
  init(
    _ range: MediaTimeRange, lasting length: MediaTime? = nil, inset: UInt64, isCopy: Bool = false
  ) {
    self.isCopy = isCopy
    self.length = length?.clock
    start = range.start.clock ?? 0
    stop = range.duration.isNumeric ? range.end.clock : nil
    self.inset = inset
  }
}

extension FileStream {
  /// The time of the run at which a range begins that is copied.
  package static let rangeStart = MediaTime(clock: StreamCut.copyStart)
}
