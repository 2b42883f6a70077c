import Containers

/// What the tracks of a stream hand over to be written: the segments that are complete, and what the
/// playlists say of the tracks now.
struct StreamUpdate: Sendable {
  /// What is known of a track.
  struct Facts: Sendable {
    var format: MovieTrackFormat?
    /// The codec as playlists and manifests name it; `nil` before the first sample has come.
    var codecName: String?
    /// Units a second of the track's times.
    var timescale = 1
    var hasStarted = false
    var isEnded = false
    /// What the track's stream says of itself.
    var tags: [String: String] = [:]
  }

  /// A segment, but for its number.
  struct Segment: Sendable {
    var bytes: [UInt8]
    /// In nanoseconds, and when it was recorded, in nanoseconds since 1970.
    var duration: Int64
    var date: Int64?
    /// When it begins and how long it is, in the track's units.
    var time: Int
    var length: Int
  }

  struct Track: Sendable {
    var facts = Facts()
    /// What all segments of the track need, before the first.
    var header: [UInt8]?
    var segments: [Segment] = []
  }

  var tracks: [Track]
  /// The time of day at the stream's beginning, in nanoseconds since 1970; `nil` unless it is live.
  var start: Int64?
  /// Whether nothing follows.
  var isComplete = false

  var byteCount: Int {
    tracks.reduce(1 << 10) { sum, track in
      track.segments.reduce(sum + (track.header?.count ?? 0)) { $0 + $1.bytes.count }
    }
  }
}
