import Media

/// The segments of a movie: the parts of its file that a playlist names.
package struct MovieSegments: Sendable {
  /// A part of the file that can be played with the head alone.
  package struct Segment: Hashable, Sendable {
    package var bytes: Range<Int>
    /// When it begins and how long it is, in nanoseconds.
    package var start: Int64
    package var duration: Int64
    /// What it holds of each track, by the tracks' numbers from 1.
    package var tracks: [Int: Track] = [:]
  }

  /// What a segment holds of a track.
  package struct Track: Hashable, Sendable {
    /// When the sample that is presented first is, and when the last ends, in nanoseconds.
    package var presentation: Range<Int64>
    package var sampleCount: Int
    /// How large its first sample is, and whether decoding can start there.
    package var firstByteCount: Int
    package var startsWithSync: Bool
  }

  /// The bytes of the `ftyp` and `moov` boxes that every segment needs; `nil` before they are
  /// written.
  package private(set) var head: Range<Int>?
  package private(set) var all: [Segment] = []
  /// When the segment begins that is being written, and where.
  private var start: (time: Int64, offset: Int)?
  /// The key frames that those after it begin with.
  private var borders: [Border] = []
  /// What has been written of it.
  private var tracks: [Int: Track] = [:]
  /// Whether the next key frame begins a segment, whenever it comes.
  private var isAsked = false
  /// The ends that were asked for: times by tracks from 0, up to which samples are in the segment.
  private var cuts: [[Int: Int64]] = []

  /// The key frame that a segment begins with.
  struct Border: Sendable {
    /// When it is presented, and decoded.
    let presentation: Int64
    let decode: Int64
    /// Up to when samples of tracks are presented that come before, where that was asked for.
    let ends: [Int: Int64]
  }

  /// The key frame that the segment after the one that is being written begins with, where it has come.
  var next: Border? { borders.first }

  /// A key frame of a track has come: a segment begins with it, where it is the first since one of the
  /// grid's times, or the first after an end that was asked for. It is presented earlier than it says by
  /// `lead`.
  mutating func noteKeyFrame(
    _ sample: MovieSample, of track: Int, lead: @autoclosure () -> Int64, on grid: TimeGrid
  ) {
    guard let last = borders.last?.presentation ?? start?.time else {
      return start = (sample.presentation, 0)
    }
    guard sample.presentation > last else { return }
    let ends = takeCuts(of: track, before: sample, lead: lead)
    guard isAsked || ends != nil || grid.cell(of: sample.presentation) > grid.cell(of: last)
    else { return }
    isAsked = false
    borders.append(
      Border(presentation: sample.presentation, decode: sample.decode, ends: ends ?? [:]))
  }

  /// Takes the ends that were asked for before a sample; the latest time of each track, or `nil` where
  /// there is none. A segment can't end before its track has anything.
  private mutating func takeCuts(
    of track: Int, before sample: MovieSample, lead: () -> Int64
  ) -> [Int: Int64]? {
    cuts.removeAll { $0[track] == nil }
    guard !cuts.isEmpty else { return nil }
    let time = sample.presentation &- lead()
    let count = cuts.prefix { $0[track] ?? .max < time }.count
    guard count > 0 else { return nil }
    defer { cuts.removeFirst(count) }
    return cuts.prefix(count).reduce(into: [:]) { ends, cut in
      ends.merge(cut, uniquingKeysWith: max)
    }
  }

  /// The head is written, and the first segment begins.
  mutating func begin(head: Range<Int>) {
    self.head = head
    start?.offset = head.upperBound
  }

  /// All samples from before the next border are written.
  mutating func end(at offset: Int) {
    guard let start, !borders.isEmpty else { return }
    let border = borders.removeFirst()
    all.append(
      Segment(
        bytes: start.offset..<offset, start: start.time,
        duration: border.presentation &- start.time, tracks: tracks))
    tracks = [:]
    self.start = (border.presentation, offset)
  }

  /// No sample follows: the last segment ends with the sample that is presented last.
  mutating func finish(at offset: Int) {
    guard let start, offset > start.offset else { return }
    let last = tracks.values.map(\.presentation.upperBound).max() ?? start.time
    let time = max(start.time, last)
    borders = [Border(presentation: time, decode: time, ends: [:])]
    end(at: offset)
  }

  /// Has the next key frame begin a segment.
  package mutating func cutAtNextKeyFrame() { isAsked = true }

  /// Has the segment end with what is presented up to a time of each track, by the tracks' numbers from
  /// 0, in nanoseconds: the next begins with the first key frame after that.
  package mutating func cut(after times: [Int: Int64]) { cuts.append(times) }

  /// Hands over the segments that are complete.
  package mutating func takeSegments() -> [Segment] {
    defer { all = [] }
    return all
  }

  /// Samples are written into the segment whose times count from one of the run.
  mutating func add(_ run: MovieFragmentBox.Run, timescale: Int, from session: Int64) {
    guard let first = run.samples.first else { return }
    func time(_ units: Int) -> Int64 {
      session &+ Int64(MovieTimeline.scaled(units, timescale, 1_000_000_000))
    }
    var decode = run.start
    var (start, end) = (Int.max, Int.min)
    for sample in run.samples {
      start = min(start, decode + sample.offset)
      end = max(end, decode + sample.offset + sample.duration)
      decode += sample.duration
    }
    let known = tracks[run.track]
    tracks[run.track] = Track(
      presentation: min(
        known?.presentation.lowerBound ?? .max, time(start))..<max(
          known?.presentation.upperBound ?? .min, time(end)),
      sampleCount: (known?.sampleCount ?? 0) + run.samples.count,
      firstByteCount: known?.firstByteCount ?? first.size,
      startsWithSync: known?.startsWithSync ?? first.isSync)
  }
}
