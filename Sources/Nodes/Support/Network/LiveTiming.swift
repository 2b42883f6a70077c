import GraphKit

/// When the samples of a live stream are presented in the run: a pure state machine over the times of
/// samples, all in nanoseconds.
///
/// A connection begins when the first sample of each track has come: the one that came latest for its own
/// time is presented then, and all others as far from it as their own times are. Senders give the audio of
/// a moment up to half a second after its video, and it would else be late for ever. What comes so late that silence has taken its place moves what follows: nothing is lost,
/// and the tracks stay together. Where the sender's clock is set, its times begin anew as those of another
/// connection would.
struct LiveTiming {
  /// What is known of one track.
  struct Track {
    /// Where the last of what was presented begins, and where it ends; `nil` before the first.
    fileprivate(set) var start: Int64?
    fileprivate(set) var end: Int64?
    /// Whether a sample of this connection has been presented.
    fileprivate var hasBegun = false
    /// Whether its end is that of silence, or of a picture that is shown again.
    fileprivate(set) var isFilled = false
    /// The own time of its last sample, and when that was presented.
    fileprivate var last: (time: Int64, now: Int64)?
    /// Which of the sender's clocks its times are of.
    fileprivate var clock = 0
  }

  /// A sample that is to be presented.
  struct Sample {
    /// Its own time.
    let time: Int64
    /// Whether it is encoded, and whether it is a picture.
    var isPacket = false
    var isFrame = false
  }

  /// What becomes of a sample.
  enum Place: Equatable {
    case at(Int64)
    /// It would be presented before what has been.
    case dropped
  }

  let gaps: LiveStream.Gaps
  private(set) var tracks: [Track]
  /// What is added to the times of each clock that the sender has had in this connection; `nil` before its
  /// first sample.
  private var offsets: [Int64?] = [nil]

  /// How much later samples are presented than at the beginning, for what came late.
  private var delay: Int64 = 0

  /// Times that are so near to each other are the same: those of files are rounded.
  static let slack: Int64 = 40_000_000

  /// Silence goes on up to what is nearer than this: what follows it would else be as much earlier
  /// for good, against the video.
  static let shortestSilence: Int64 = 100_000

  /// Frames that are further apart lack some in between.
  private static let longestFrame: Int64 = 200_000_000

  /// Times that go back so far, or ahead of the run's by so much, are those of a clock that was set.
  private static let (longestReturn, longestLead): (Int64, Int64) = (1_000_000_000, 5_000_000_000)
  /// So far behind the run's are those of a clock that the other tracks don't have.
  private static let longestLag: Int64 = 30_000_000_000

  init(_ gaps: LiveStream.Gaps, trackCount: Int) {
    self.gaps = gaps
    tracks = Array(repeating: Track(), count: trackCount)
  }

  /// Whether anything has been presented.
  var hasBegun: Bool { tracks.contains { $0.end != nil } }

  /// Where the longest track ends.
  private var end: Int64 { tracks.compactMap(\.end).max() ?? 0 }

  /// Another connection follows, or a pause is over: times begin anew.
  mutating func begin() {
    (offsets, delay) = ([nil], 0)
    for index in tracks.indices { tracks[index].begin(clock: 0) }
  }

  /// Whether times have a beginning in the run.
  var hasOrigin: Bool { offsets[0] != nil }

  /// Begins with the first samples: their own times, and when each of them came.
  mutating func begin(with firsts: [(time: Int64, arrival: Int64)]) {
    offsets[0] = firsts.map { origin($0.arrival) - $0.time }.max()
  }

  /// Where the next sample of every track comes after a gap, as where a sender has left out what it was
  /// late with, the gap becomes shorter by as much as samples were delayed before. The times are the
  /// samples' own, by track; `nil` of one that has ended.
  mutating func catchUp(with waiting: [Int64?], now: Int64) {
    guard delay > 0, offsets.count == 1, let offset = offsets[0] else { return }
    let gaps = zip(waiting, tracks).compactMap { time, track in
      time.map { $0 + offset - max(now, track.end ?? now) }
    }
    guard let gap = gaps.min(), gap > Self.slack else { return }
    let step = min(gap, delay)
    (offsets[0], delay) = (offset - step, delay - step)
  }

  /// Whether what is missing before a sample that is presented at a time is to be filled. A frame is
  /// shown up to the next, unless that is too far for its frame rate.
  func isGap(before time: Int64, of index: Int, isFrame: Bool) -> Bool {
    let track = tracks[index]
    guard gaps == .fill, let end = track.end else { return false }
    if !isFrame, track.isFilled { return time - end > Self.shortestSilence }
    guard isFrame, !track.isFilled else { return time - end > Self.slack }
    // Of a stream of two frames a second, say, none is missing.
    return time - end > max(Self.longestFrame, 2 * (end - (track.start ?? end)))
  }

  /// When a sample is presented; where it waits for that, it may be asked again.
  mutating func place(_ sample: Sample, of index: Int, now: Int64) -> Place {
    followClock(sample.time, of: index, now)
    let (track, offset) = (tracks[index], offset(for: sample.time, of: index, now))
    let placed = sample.time + offset
    guard let start = track.start, let end = track.end else {
      return placed >= 0 ? .at(placed) : .dropped
    }
    let isNear = abs(placed - end) <= Self.slack
    let fits = sample.isFrame ? fits(sample, placed, after: start, until: end) : isNear
    // Audio has no inaudible gaps; frames are as long as their sender says.
    if placed >= end {
      let joins = track.isFilled ? placed - end <= Self.shortestSilence : isNear
      return .at(joins && !sample.isFrame ? end : placed)
    }
    // Audio would be late for good where it alone followed the silence.
    if track.isFilled && (!fits || !sample.isFrame) || sample.isPacket && !track.hasBegun {
      offsets[track.clock] = offset + end - placed
      if track.isFilled { delay += end - placed }
      return .at(end)
    }
    guard fits else { return .dropped }
    return .at(sample.isFrame ? placed : end)
  }

  /// Whether a frame may be at a time though the last one would last longer.
  private func fits(
    _ frame: Sample, _ time: Int64, after start: Int64, until end: Int64
  ) -> Bool {
    // Others may need it to be decoded.
    if frame.isPacket { return time > start }
    // One that follows the last by less than half of its length would take its place.
    return end - time <= Self.slack && time - start >= (end - start) / 2
  }

  private mutating func offset(for time: Int64, of index: Int, _ now: Int64) -> Int64 {
    let clock = tracks[index].clock
    let offset = offsets[clock] ?? origin(now) - time
    offsets[clock] = offset
    return offset
  }

  private func origin(_ now: Int64) -> Int64 {
    guard hasBegun else { return now }
    return gaps == .close ? end : max(now, end)
  }

  /// Has a track go by another clock where the sender has set its own.
  private mutating func followClock(_ time: Int64, of index: Int, _ now: Int64) {
    guard let last = tracks[index].last else {
      // A sender's tracks may have clocks of their own.
      let lead = offsets[tracks[index].clock].map { time + $0 - now } ?? 0
      guard lead > Self.longestLead || lead < -Self.longestLag else { return }
      offsets.append(nil)
      return tracks[index].begin(clock: offsets.count - 1)
    }
    let step = time - last.time
    guard step < -Self.longestReturn || step - (now - last.now) > Self.longestLead else { return }
    // Another track may have come to it before.
    let newest = offsets.count - 1
    let isKnown =
      tracks[index].clock < newest
      && offsets[newest].map { abs(time + $0 - now) < Self.longestLead } == true
    if !isKnown { offsets.append(nil) }
    tracks[index].begin(clock: offsets.count - 1)
  }

  /// A sample was presented at `start`, up to `end`; its own time is `time`.
  mutating func present(
    _ time: Int64, from start: Int64, until end: Int64, of index: Int, now: Int64
  ) {
    let end = max(end, tracks[index].end ?? end)
    (tracks[index].start, tracks[index].end) = (start, end)
    (tracks[index].hasBegun, tracks[index].isFilled) = (true, false)
    tracks[index].last = (time, now)
  }

  /// What was missing was filled from `start` to `end`.
  mutating func fill(from start: Int64, until end: Int64, of index: Int) {
    (tracks[index].start, tracks[index].end) = (start, end)
    tracks[index].isFilled = true
  }
}

extension LiveTiming.Track {
  /// Its times begin anew, by one of the sender's clocks.
  fileprivate mutating func begin(clock: Int) {
    (hasBegun, last) = (false, nil)
    self.clock = clock
  }
}
