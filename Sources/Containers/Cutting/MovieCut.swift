import GraphKitSystem
import Media

/// Which frames of a range of a movie's H.264 or HEVC can be copied as they are, and which have to be encoded
/// anew: those before the first key frame, which need frames from before the range, and those at the
/// end whose packets need frames from after it.
///
/// All times are those of the file, in nanoseconds, in which its edit list presents it.
package struct MovieCut: Hashable, Sendable {
  /// Why a track can't be cut so.
  package enum Problem: Error, Equatable {
    /// There is no index of all its samples, or it is presented in several parts.
    case notListed
    /// It is of neither H.264 nor HEVC, or its samples are encrypted.
    case codec
    /// It isn't of 8 bits, 4:2:0 and whole frames, in the profiles that are encoded here.
    case format
    /// Its parameter sets aren't in the index, or have all numbers there are, or its units have lengths of
    /// other sizes than encoders give them.
    case configuration
    /// There are other parameter sets in its samples than in the index.
    case changingSets
  }

  /// What is encoded before all else.
  package private(set) var head: Range<Int64>?
  /// What is copied.
  package private(set) var middle: Range<Int64>?
  /// What is encoded after that.
  package private(set) var tail: Range<Int64>?
  /// How long before it is presented the first frame that is copied is decoded, where it takes the place
  /// of the frames that are left out after it.
  package private(set) var lead: Int64 = 0
  /// Bytes of that frame.
  package private(set) var firstSize = 0
  /// What decoders have to know of the frames that are copied.
  package let configuration: VideoConfiguration

  /// Times are rounded to nanoseconds by so many at most.
  private static let margin: Int64 = 2
  /// In how many bytes of a sample its parameter sets are, which come first.
  private static let setsLength = 16_384

  /// Finds out for a track, by its number, and for a range that may go on to the end.
  package init(_ path: String, track number: Int, range: Range<Int64>) throws(Problem) {
    guard let movie = try? MovieFile(path, for: .reading), let index = try? movie.index(),
      index.data.first("mvex", in: index.movie) == nil,
      let track = index.tracks.first(where: { $0.identifier == number })
    else { throw .notListed }
    guard ["avc1", "hvc1", "hev1"].contains(track.codec) else { throw .codec }
    guard let configuration = index.configuration(of: track) else { throw .configuration }
    guard configuration.isEncodedHere else { throw .format }
    guard configuration.freeIdentifiers.count > 1, configuration.lengthSize == 4 else {
      throw .configuration
    }
    self.configuration = configuration
    guard index.listsSamples(of: track, below: movie.file.size) else { throw .notListed }
    let frames = MovieFrames(of: track, in: index, below: movie.file.size)
    let part = frames.presented(of: range)
    cut(frames, to: part) { place, size in
      let sample = (try? movie.file.read(at: place, count: size)) ?? []
      return configuration.beginsSequence(sample)
    }
    guard let end = middle?.upperBound else { return }
    for frame in frames.all where frame.isSync && frame.presentation < end {
      let start = try? movie.file.read(at: frame.place, count: min(frame.size, Self.setsLength))
      guard configuration.hasSets(of: start ?? []) else { throw .changingSets }
    }
  }

  private mutating func cut(
    _ frames: MovieFrames, to range: Range<Int64>, beginsSequence: (Int, Int) -> Bool
  ) {
    let borders = frames.borders
    let first = frames.all.indices.first { index in
      let frame = frames.all[index]
      return borders[index] != nil && frame.isSync
        && frame.presentation >= range.lowerBound - Self.margin
        && beginsSequence(frame.place, frame.size)
    }
    head = range
    guard let first else { return }
    let start = frames.all[first].presentation
    let end = frames.end(before: range.upperBound - Self.margin, from: first, borders)
    // Otherwise no frame is copied.
    guard let end, start < range.upperBound - Self.margin else { return }
    let isWhole = first == 0 || start <= range.lowerBound + Self.margin
    head = isWhole ? nil : range.lowerBound..<start
    middle = start..<min(end, range.upperBound)
    tail = end < range.upperBound - Self.margin ? end..<range.upperBound : nil
    lead = max(0, start - frames.decode(ofLastBefore: start, from: first))
    firstSize = frames.all[first].size
  }
}

/// The frames of a track in the order of decoding, with their times.
private struct MovieFrames {
  struct Frame {
    var presentation: Int64
    var decode: Int64
    var place: Int
    var size: Int
    var isSync: Bool
  }

  private(set) var all: [Frame] = []
  /// What the edit list presents.
  private let presented: Range<Int64>

  init(of track: MovieTrack, in index: MovieIndex, below end: Int) {
    let pause = track.edits.prefix { $0.mediaTime < 0 }
    let part = track.edits.dropFirst(pause.count).first
    let shift = index.compositionShift(of: track)
    let delay = nanoseconds(pause.map(\.duration).reduce(0, &+), index.timescale)
    let zero = part.map { nanoseconds($0.mediaTime &+ shift, track.timescale) } ?? 0
    var samples = TrackSamples(of: track, in: index.data, below: end)
    var time = 0
    all.reserveCapacity(track.sampleCount)
    while let (sample, place, _) = samples.next() {
      all.append(
        Frame(
          presentation: nanoseconds(time + sample.offset + shift, track.timescale) - zero + delay,
          decode: nanoseconds(time, track.timescale) - zero + delay, place: place,
          size: sample.size, isSync: sample.isSync))
      time += sample.duration
    }
    let length = part.map { nanoseconds($0.duration, index.timescale) } ?? 0
    // Units of movies are mostly milliseconds: an end that isn't before the last frame's is no cut.
    let last = nanoseconds(time, track.timescale) - zero + delay
    let isCut = length > 0 && delay + length < last - 1_000_000
    presented = delay..<max(delay, isCut ? delay + length : .max)
  }

  /// The part of a range that is presented at all.
  func presented(of range: Range<Int64>) -> Range<Int64> {
    // Before the first frame there is none to be encoded.
    range.clamped(to: presented).isEmpty ? range : range.clamped(to: presented)
  }

  /// For each frame, and the end, when the first of the frames from it on is presented, where that is
  /// after all that are decoded before it: there the stream can be taken apart.
  var borders: [Int64?] {
    var earliest = [Int64](repeating: .max, count: all.count + 1)
    for index in all.indices.reversed() {
      earliest[index] = min(earliest[index + 1], all[index].presentation)
    }
    var latest = Int64.min
    return (0...all.count).map { index in
      if index > 0 { latest = max(latest, all[index - 1].presentation) }
      return latest < earliest[index] ? earliest[index] : nil
    }
  }

  /// When the last of the frames is decoded that follow a key frame and are presented before it, or the
  /// key frame itself.
  func decode(ofLastBefore presentation: Int64, from key: Int) -> Int64 {
    let following = all.indices.dropFirst(key + 1).first { all[$0].presentation > presentation }
    return all[(following ?? all.count) - 1].decode
  }

  /// Up to when frames can be copied from one on, so that all of them are presented before a time; `nil`
  /// where none can.
  func end(before limit: Int64, from first: Int, _ borders: [Int64?]) -> Int64? {
    var end: Int64?
    var index = first
    while index < all.count, all[index].presentation < limit {
      index += 1
      end = borders[index] ?? end
    }
    return end
  }
}

/// Rounded down, as demuxers do.
private func nanoseconds(_ value: Int, _ scale: Int) -> Int64 {
  Int64(MovieTimeline.scaled(value, scale, 1_000_000_000, isWhole: true))
}

extension MovieIndex {
  /// What the first sample description of a track says of its codec; `nil` where it doesn't.
  fileprivate func configuration(of track: MovieTrack) -> VideoConfiguration? {
    guard let list = data.first("stsd", in: track.table),
      let entry = data.box(at: list.content + 8, limit: list.end)
    else { return nil }
    // A visual sample entry has 78 bytes before its boxes (12.1.3).
    let boxes = MovieBox(
      type: entry.type, start: entry.start, content: entry.content + 78, end: entry.end)
    guard boxes.content < boxes.end else { return nil }
    for name in VideoConfiguration.boxes {
      guard let box = data.first(name, in: boxes) else { continue }
      return VideoConfiguration(data.bytes[box.content..<box.end], inBox: name)
    }
    return nil
  }
}
