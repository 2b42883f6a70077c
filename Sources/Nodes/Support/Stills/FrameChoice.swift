import GraphKit

/// Chooses frames of a stream by the times at which they are on screen.
///
/// A frame is on screen until the next one begins, the last until it ends, and the first from the
/// beginning of the stream on. Some files round times to milliseconds, so a frame that begins within
/// one of a time is there already.
struct FrameChoice: Sendable {
  /// A frame that was chosen.
  struct Choice: Sendable {
    /// The time that was asked for, or where the part of the stream begins that it is the middle of.
    var start: MediaTime
    /// The frame.
    var frame: HeldFrame
  }

  /// The times, the earliest first.
  let times: FrameTimes
  /// How many times are over.
  private(set) var count = 0
  /// The frame on screen.
  private(set) var last: HeldFrame?
  /// How long frames last, where they don't say.
  private var interval = MediaTime.zero
  private static let tolerance = MediaTime(value: 1, timescale: 1000)

  /// A choice at some times.
  init(_ times: FrameTimes) { self.times = times }

  /// Whether all times are over.
  var isComplete: Bool { times.time(count) == nil }

  /// When the stream ends, as far as it has come.
  var end: MediaTime {
    guard let last else { return .zero }
    return last.end > last.time ? last.end : last.time + interval
  }

  /// The times that are decided by the next frame, with their frames.
  mutating func next(_ frame: HeldFrame) -> [Choice] {
    guard frame.time.isNumeric else { return [] }
    var choices: [Choice] = []
    while let time = times.time(count), time + Self.tolerance < frame.time {
      choices.append(Choice(start: start(of: time), frame: last ?? frame))
      count += 1
    }
    if let last, frame.time > last.time { interval = frame.time - last.time }
    last = frame
    while let time = times.time(count), time <= frame.time {
      choices.append(Choice(start: start(of: time), frame: frame))
      count += 1
    }
    return choices
  }

  private func start(of time: MediaTime) -> MediaTime {
    guard case .spread(let all, let length) = times else { return time }
    return length.multiplied(by: count, over: all)
  }

  /// The times that are left when the stream ends, with the last frame. Those of a row of times go up
  /// to the end of the stream; of given ones those after it are left.
  mutating func finish() -> [Choice] {
    guard let last else { return [] }
    var choices: [Choice] = []
    while let time = times.time(count), times.isSpread || time < end || time <= last.time {
      choices.append(Choice(start: start(of: time), frame: last))
      count += 1
    }
    return choices
  }
}

/// Keeps pictures of a stream whose length isn't known, evenly over all of it.
///
/// Whenever there are twice as many as may be, or twice as many as are needed take too much memory,
/// every second one goes, so that memory doesn't grow with the stream.
struct ThinnedPictures: Sendable {
  private(set) var pictures: [HeldFrame] = []
  private let needed: Int
  private var bytes = 0
  private var stride = 1
  /// Pictures that have come.
  private var count = 0

  /// Memory that pictures take, where there may be fewer.
  private static let usualSize = 256 << 20
  /// Memory that they take at most.
  private static let limit = 1 << 30

  /// Keeps at least so many pictures, and at most eight times as many.
  init(needed: Int) { self.needed = max(1, needed) }

  /// Whether the next picture is kept; each picture asks once.
  mutating func keepsNext() -> Bool {
    defer { count += 1 }
    return count % stride == 0
  }

  /// Keeps a picture.
  mutating func append(_ picture: HeldFrame) throws(NodeError) {
    pictures.append(picture)
    bytes += picture.sample.byteCount
    let isMuch = bytes > Self.usualSize && pictures.count >= 2 * needed
    if pictures.count >= 8 * needed || isMuch {
      pictures = Swift.stride(from: 0, to: pictures.count, by: 2).map { pictures[$0] }
      bytes = pictures.reduce(0) { $0 + $1.sample.byteCount }
      stride *= 2
    }
    guard bytes > Self.limit else { return }
    throw NodeError(
      "the video doesn't say how long it is, and \(pictures.count) pictures that are kept for "
        + "\(needed) take \(bytes >> 20) MiB",
      remedy: "give a smaller `width`, or `every` in place of `count`", key: "count")
  }
}
