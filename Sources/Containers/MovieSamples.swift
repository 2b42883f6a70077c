import Media
import GraphKitSystem

/// The samples of some tracks of an ordinary movie, as its index lists them, for copies that don't
/// look at them.
package struct MovieSamples: Sendable {
  /// A part of a movie that is listed alone: with what decoding it begins with.
  package struct Part: Sendable {
    /// The part in the file's time, in nanoseconds.
    var times: Range<Int64>
    /// The time that samples say which are presented when it begins.
    var start: Int64
    /// The own times of tracks at which the file begins, where the index doesn't say that.
    var zeros: [Int64?]

    package init(_ times: Range<Int64>, saying start: Int64, zeros: [Int64?]) {
      (self.times, self.start, self.zeros) = (times, start, zeros)
    }
  }

  private struct Track: Sendable {
    let timescale: Int
    /// By how much presentation is moved, so that no time is negative.
    let shift: Int
    var samples: TrackSamples
    /// The frame that is presented last, where the table says another length of it.
    let last: LastFrame<Int>?
    var time = 0
    var next: FileSample?
    /// The first sample of all, with the track's own times.
    var first: FileSample?
    /// From which time on samples are decoded that don't belong to the part, and by how much those of
    /// the part are later.
    var end = Int64.max
    var move: Int64 = 0

    /// When the next sample is decoded, in the time that it says.
    var nextTime: Int64? { next.map { $0.decode &+ move } }
  }

  /// How far tracks may be apart in a piece, in nanoseconds: a movie that has one after the other
  /// in its file isn't copied like that.
  private static let mostApart: Int64 = 1_000_000_000

  private var tracks: [Track] = []

  /// Looks into a movie; `nil` where it isn't one whose tracks of these numbers can be copied by the
  /// index alone: a track is in fragments, encrypted, changes its format or is presented in several
  /// parts, or the file is shorter than its index says.
  package init?(_ path: String, tracks numbers: [Int], part: Part? = nil) {
    guard let movie = try? MovieFile(path, for: .reading), let index = try? movie.index(),
      index.data.first("mvex", in: index.movie) == nil
    else { return nil }
    for (stream, number) in numbers.enumerated() {
      guard let track = index.tracks.first(where: { $0.identifier == number }),
        index.canCopy(track, below: movie.file.size)
      else { return nil }
      tracks.append(
        Track(
          timescale: track.timescale, shift: index.compositionShift(of: track),
          samples: TrackSamples(of: track, in: index.data, below: movie.file.size),
          last: index.lastFrame(of: track)))
      advance(stream)
      tracks[stream].first = tracks[stream].next
      if let part { begin(part, of: track, stream, in: index) }
    }
  }

  /// The first sample of a track, whatever part of it is listed.
  package func first(of stream: Int) -> FileSample? { tracks[stream].first }

  /// The next samples in the order of the file, of about so many bytes and nanoseconds; none at the
  /// end.
  package mutating func next(byteCount: Int, duration: Int64, count: Int) -> [FileSample] {
    var found: [FileSample] = []
    var left = byteCount
    var start: Int64?
    while left > 0, found.count < count, let stream = nextStream, let sample = tracks[stream].next {
      start = min(start ?? sample.decode, sample.decode)
      guard let start, found.isEmpty || sample.decode - start < duration else { break }
      found.append(sample.later(by: tracks[stream].move))
      left -= sample.byteCount
      advance(stream)
    }
    return found
  }

  /// The track whose next sample is first in the file, of those that aren't too far ahead.
  private var nextStream: Int? {
    var latest = Int64.max
    for track in tracks { latest = min(latest, track.nextTime ?? .max) }
    guard latest < .max else { return nil }
    var found: (stream: Int, offset: Int)?
    for (stream, track) in tracks.enumerated() {
      guard let next = track.next, let time = track.nextTime, time - latest <= Self.mostApart,
        next.offset < found?.offset ?? .max
      else { continue }
      found = (stream, next.offset)
    }
    return found?.stream
  }

  private mutating func advance(_ stream: Int) {
    guard let (sample, place, _) = tracks[stream].samples.next() else {
      tracks[stream].next = nil
      return
    }
    let (start, scale) = (tracks[stream].time, tracks[stream].timescale)
    let decode = Self.nanoseconds(start, scale)
    tracks[stream].time = start + sample.duration
    guard decode < tracks[stream].end else {
      tracks[stream].next = nil
      return
    }
    let last = tracks[stream].last.flatMap { $0.time == start + sample.offset ? $0.duration : nil }
    tracks[stream].next = FileSample(
      stream: stream, offset: place, byteCount: sample.size,
      presentation: Self.nanoseconds(start + sample.offset + tracks[stream].shift, scale),
      decode: decode,
      duration: Self.nanoseconds(start + (last ?? sample.duration), scale) - decode,
      isSync: sample.isSync)
  }

  /// Rounded down, as demuxers do.
  private static func nanoseconds(_ value: Int, _ scale: Int) -> Int64 {
    Int64(MovieTimeline.scaled(value, scale, 1_000_000_000, isWhole: true))
  }
}

// MARK: Parts

extension MovieSamples {
  /// How much audio is decoded before a part: more than any codec needs to give the same samples.
  private static let audioLead: Int64 = 2_000_000_000
  /// So far inside of a sample, no rounding makes it one more or less.
  private static let margin: Int64 = 2

  /// Goes to the sample that decoding a part of a track begins with.
  private mutating func begin(
    _ part: Part, of track: MovieTrack, _ stream: Int, in index: MovieIndex
  ) {
    let (pause, start, length) = index.presented(of: track)
    let scale = track.timescale
    let zero =
      part.zeros[stream] ?? Self.nanoseconds(start &+ tracks[stream].shift, scale) &- pause
    let first = part.times.lowerBound &+ zero
    tracks[stream].move = part.start &- first
    let stop = length.map { min(part.times.upperBound, pause &+ $0) } ?? part.times.upperBound
    let end = stop == .max ? stop : stop.addingReportingOverflow(zero).partialValue &- Self.margin
    let count =
      track.kind == .encodedAudio
      ? audioStart(of: stream, first &+ Self.margin, end: end)
      : videoStart(of: stream, first &+ Self.margin)
    for _ in 0..<count { advance(stream) }
    tracks[stream].end = end
    if let next = tracks[stream].next, next.decode >= end { tracks[stream].next = nil }
  }

  /// How many frames come before the key frame with which decoding begins: the last before the first
  /// frame that is presented at a time or later.
  private func videoStart(of stream: Int, _ time: Int64) -> Int {
    var track = self
    var (number, start) = (0, 0)
    while let next = track.tracks[stream].next, next.presentation < time {
      if next.isSync { start = number }
      number += 1
      track.advance(stream)
    }
    return start
  }

  /// How many packets come before those with which decoding begins; all, where the track ends before a
  /// time, since nothing would follow for which they are decoded.
  private func audioStart(of stream: Int, _ time: Int64, end: Int64) -> Int {
    var track = self
    var (number, start) = (0, 0)
    while let next = track.tracks[stream].next {
      if min(end, next.presentation &+ next.duration) > time { return start }
      number += 1
      if next.presentation < time &- Self.audioLead { start = number }
      track.advance(stream)
    }
    return number
  }
}

extension FileSample {
  fileprivate func later(by time: Int64) -> FileSample {
    var sample = self
    sample.presentation &+= time
    sample.decode &+= time
    return sample
  }
}

extension MovieIndex {
  /// Whether the samples of a track are what a decoder is to get of it, each with the index's times.
  func canCopy(_ track: MovieTrack, below end: Int) -> Bool {
    ["avc1", "hvc1", "mp4a"].contains(track.codec) && listsSamples(of: track, below: end)
  }

  /// Whether all samples of a track are in the index, of one description, presented in one part.
  func listsSamples(of track: MovieTrack, below end: Int) -> Bool {
    guard track.timescale > 0, track.sampleCount > 0, track.sampleCount <= data.count,
      data.first("stsd", in: track.table).flatMap({ data.u32($0.content + 4) }) == 1,
      // Readers don't agree on what this box means.
      data.first("cslg", in: track.table) == nil,
      track.edits.count <= track.edits.prefix(while: { $0.mediaTime < 0 }).count + 1
    else { return false }
    var samples = TrackSamples(of: track, in: data, below: end)
    guard let first = samples.next(), first.sample.isSync else { return false }
    var time = first.sample.duration
    while let next = samples.next() { time &+= next.sample.duration }
    return samples.left == 0 && time < Int.max / 4
  }

  /// What the edit list of a track that has one part presents: a pause in nanoseconds, where the part
  /// begins in the track's units, and how long it is in nanoseconds; `nil` for up to the end.
  func presented(of track: MovieTrack) -> (pause: Int64, start: Int, length: Int64?) {
    let pauses = track.edits.prefix { $0.mediaTime < 0 }
    let pause = nanoseconds(pauses.map(\.duration).reduce(0, &+))
    guard let part = track.edits.dropFirst(pauses.count).first else { return (pause, 0, nil) }
    let length = part.duration > 0 ? nanoseconds(part.duration) : nil
    return (pause, part.mediaTime, length)
  }

  /// Units of the movie, rounded down.
  private func nanoseconds(_ units: Int) -> Int64 {
    Int64(MovieTimeline.scaled(units, timescale, 1_000_000_000, isWhole: true))
  }
}
