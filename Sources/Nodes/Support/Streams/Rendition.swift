import Containers
import GraphKit
import GraphKitSystem

/// A track of a stream: which of its segments its playlist lists.
struct Rendition: Sendable {
  /// A segment that is written.
  struct Segment: Hashable, Sendable {
    var number: Int
    /// In nanoseconds, and when it was recorded, in nanoseconds since 1970.
    var duration: Int64
    var date: Int64?
    /// When it begins and how long it is, in the track's units.
    var time: Int
    var length: Int
    var byteCount: Int
    /// Whether it couldn't be written.
    var isGap = false
  }

  /// `video1`: what the names of its files begin with.
  let name: String
  let isVideo: Bool
  let rotation: Rotation
  /// What its source's file calls it, and whether players are to choose it.
  var label = TrackLabel()
  /// What is known of its track by now.
  var facts = StreamUpdate.Facts()
  /// The segments of the playlist.
  private(set) var segments: [Segment] = []
  /// How many there were before these.
  private(set) var removedCount = 0
  /// Segments that no playlist lists any more, and when they are deleted, in nanoseconds of the
  /// track's own time.
  private var expired: [(number: Int, until: Int64)] = []
  /// How much was written, and for how long.
  private(set) var byteCount = 0
  private var writtenDuration: Int64 = 0
  /// How long all segments are together.
  private(set) var duration: Int64 = 0
  private var segmentPeak = 0

  init(_ name: String, isVideo: Bool, rotation: Rotation) {
    (self.name, self.isVideo, self.rotation) = (name, isVideo, rotation)
  }

  var playlistName: String { "\(name).m3u8" }
  var headerName: String { "\(name)-init.mp4" }

  func name(ofSegment number: Int) -> String {
    "\(name)-\(StreamText.digits(number, 5)).m4s"
  }

  var hasSegments: Bool { removedCount + segments.count > 0 }
  var nextNumber: Int { removedCount + segments.count + 1 }

  /// Bits a second of the segment that has the most.
  var peakBitRate: Int { max(segmentPeak, averageBitRate) }

  /// Bits a second of all segments together.
  var averageBitRate: Int { Self.bitRate(byteCount, writtenDuration) }

  private static func bitRate(_ bytes: Int, _ duration: Int64) -> Int {
    duration > 0 ? Int((Double(bytes) * 8e9 / Double(duration)).rounded(.up)) : 0
  }

  /// Lists a segment that is written.
  mutating func add(_ segment: Segment, target: Int64) {
    segments.append(segment)
    duration += segment.duration
    guard !segment.isGap else { return }
    byteCount += segment.byteCount
    writtenDuration += segment.duration
    // What is shorter than half of the others says nothing (RFC 8216, 4.1).
    if segment.duration * 2 >= target {
      segmentPeak = max(segmentPeak, Self.bitRate(segment.byteCount, segment.duration))
    }
  }

  /// Forgets gaps after which nothing came.
  mutating func dropLastGaps() {
    while segments.last?.isGap == true { segments.removeLast() }
  }

  /// How many of the newest segments couldn't be written.
  var lastGapCount: Int { segments.reversed().prefix(while: \.isGap).count }

  /// Takes segments out of the playlist that the window has left; returns those to delete, which
  /// players that have an old playlist don't ask for any more (RFC 8216, 6.2.2).
  mutating func slide(window: Int64, target: Int64) -> [Int] {
    // A playlist is never shorter than three times the target (6.2.2).
    let least = max(window, 3 * target)
    var listed = segments.reduce(0) { $0 + $1.duration }
    while let first = segments.first, listed - first.duration >= least {
      expired.append((first.number, duration + first.duration + listed))
      listed -= first.duration
      segments.removeFirst()
      removedCount += 1
    }
    let due = expired.prefix { $0.until <= duration }.map(\.number)
    expired.removeFirst(due.count)
    return due
  }

  /// The playlist as it is now.
  func playlist(_ kind: MediaPlaylist.Kind, segmentDuration: Int64) -> MediaPlaylist {
    MediaPlaylist(
      kind: kind, map: (headerName, nil),
      segments: segments.map {
        MediaPlaylist.Segment(
          reference: name(ofSegment: $0.number), duration: $0.duration, date: $0.date,
          isGap: $0.isGap)
      },
      sequence: removedCount + 1, segmentDuration: segmentDuration)
  }
}
