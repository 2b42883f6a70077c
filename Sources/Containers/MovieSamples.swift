import Media
import GraphKitSystem

/// The samples of some tracks of an ordinary movie, as its index lists them, for copies that don't
/// look at them.
package struct MovieSamples: Sendable {
  private struct Track: Sendable {
    let timescale: Int
    /// By how much presentation is moved, so that no time is negative.
    let shift: Int
    var samples: TrackSamples
    var time = 0
    var next: FileSample?
  }

  /// How far tracks may be apart in a piece, in nanoseconds: a movie that has one after the other
  /// in its file isn't copied like that.
  private static let mostApart: Int64 = 1_000_000_000

  private var tracks: [Track] = []

  /// Looks into a movie; `nil` where it isn't one whose tracks of these numbers can be copied by the
  /// index alone: a track is in fragments, encrypted, changes its format or is presented in several
  /// parts, or the file is shorter than its index says.
  package init?(_ path: String, tracks numbers: [Int]) {
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
          samples: TrackSamples(of: track, in: index.data, below: movie.file.size)))
      advance(stream)
    }
  }

  /// The first sample of a track.
  package func first(of stream: Int) -> FileSample? { tracks[stream].next }

  /// The next samples in the order of the file, of about so many bytes and nanoseconds; none at the
  /// end.
  package mutating func next(byteCount: Int, duration: Int64, count: Int) -> [FileSample] {
    var found: [FileSample] = []
    var left = byteCount
    var start: Int64?
    while left > 0, found.count < count, let stream = nextStream, let sample = tracks[stream].next {
      start = min(start ?? sample.decode, sample.decode)
      guard let start, found.isEmpty || sample.decode - start < duration else { break }
      found.append(sample)
      left -= sample.byteCount
      advance(stream)
    }
    return found
  }

  /// The track whose next sample is first in the file, of those that aren't too far ahead.
  private var nextStream: Int? {
    var latest = Int64.max
    for track in tracks { latest = min(latest, track.next?.decode ?? .max) }
    guard latest < .max else { return nil }
    var found: (stream: Int, offset: Int)?
    for (stream, track) in tracks.enumerated() {
      guard let next = track.next, next.decode - latest <= Self.mostApart,
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
    tracks[stream].next = FileSample(
      stream: stream, offset: place, byteCount: sample.size,
      presentation: Self.nanoseconds(start + sample.offset + tracks[stream].shift, scale),
      decode: decode, duration: Self.nanoseconds(start + sample.duration, scale) - decode,
      isSync: sample.isSync)
  }

  /// Rounded down, as demuxers do.
  private static func nanoseconds(_ value: Int, _ scale: Int) -> Int64 {
    Int64(MovieTimeline.scaled(value, scale, 1_000_000_000, isWhole: true))
  }
}

extension MovieIndex {
  /// Whether the samples of a track are what a decoder is to get of it, each with the index's times.
  func canCopy(_ track: MovieTrack, below end: Int) -> Bool {
    guard ["avc1", "hvc1", "mp4a"].contains(track.codec), track.timescale > 0,
      (1...data.bytes.count).contains(track.sampleCount),
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
}
