import GraphKit

/// When the samples of a live stream are presented in the run: a pure state machine over the times of
/// samples, all in nanoseconds.
///
/// The first sample of a connection is presented when it comes, and all others as far from it as their
/// own times are. What comes so late that silence has taken its place moves what follows: nothing is lost,
/// and the tracks stay together.
struct LiveTiming {
  /// What is known of one track.
  struct Track {
    /// Where the next sample follows without a gap; `nil` before the first.
    var end: Int64?
    /// Whether a sample of this connection has been presented.
    var hasBegun = false
    /// Whether its end is that of silence, or of a picture that is shown again.
    var isFilled = false
  }

  /// What becomes of a sample.
  enum Place: Equatable {
    case at(Int64)
    /// It would be presented before what has been.
    case dropped
  }

  let gaps: LiveStream.Gaps
  private(set) var tracks: [Track]
  /// What is added to the times of this connection; `nil` before its first sample.
  private var offset: Int64?

  /// Times that are so near to each other are the same: those of files are rounded.
  static let slack: Int64 = 40_000_000

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
    offset = nil
    for index in tracks.indices { tracks[index].hasBegun = false }
  }

  /// When a sample is presented, whose own time is `time`; where it waits for that, it may be asked again.
  mutating func place(
    _ time: Int64, of index: Int, isPacket: Bool, isFrame: Bool, now: Int64
  ) -> Place {
    let offset = self.offset ?? origin(now) - time
    self.offset = offset
    let (placed, track) = (time + offset, tracks[index])
    guard let end = track.end else { return placed >= 0 ? .at(placed) : .dropped }
    if placed >= end { return .at(placed) }
    let isLate = track.isFilled && end - placed > Self.slack
    if isLate || (isPacket && !track.hasBegun) {
      self.offset = offset + end - placed
      return .at(end)
    }
    // Frames are as long as their files say, audio is as long as it is.
    if placed >= end - Self.slack { return .at(isFrame ? placed : end) }
    return .dropped
  }

  private func origin(_ now: Int64) -> Int64 {
    guard hasBegun else { return now }
    return gaps == .close ? end : max(now, end)
  }

  /// A sample was presented, up to `end`.
  mutating func present(until end: Int64, of index: Int) {
    tracks[index].end = max(end, tracks[index].end ?? end)
    tracks[index].hasBegun = true
    tracks[index].isFilled = false
  }

  /// What was missing was filled up to `end`.
  mutating func fill(until end: Int64, of index: Int) {
    tracks[index].end = end
    tracks[index].isFilled = true
  }
}
