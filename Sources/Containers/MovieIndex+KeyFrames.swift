/// What has to be decoded for a part of a track's frames to be shown.
extension MovieIndex {
  /// Frames of a track, in its units. Decode times are the table's; those of presentation count as
  /// GStreamer's demuxer has them, which moves all by `shift`, so that none is negative.
  struct Excerpt: Equatable {
    /// What is added to the times that an edit list names.
    var shift = 0
    /// When the first frame is decoded: a key frame, or the track's first.
    var decode: Int
    /// When that is presented; where it isn't a key frame, the earliest that any is.
    var presentation: Int
    /// A time at which the last frame is being decoded.
    var last: Int
    /// When the track's last frame ends.
    var end = 0
  }

  /// What the frames need that are presented from a time of the track on, and before another; `nil`
  /// where the table of samples doesn't tell, as in a movie in fragments.
  func excerpt(of track: MovieTrack, from start: Int, to stop: Int?) -> Excerpt? {
    // A table has four bytes for each frame's size: a count beyond that is wrong.
    guard track.sampleCount > 0, track.sampleCount <= data.count / 4, start < 1 << 62
    else { return nil }
    let shift = compositionShift(of: track)
    let (from, to) = (start + shift, stop.map { min($0, 1 << 62) + shift } ?? .max)
    var (durations, offsets) = (runs("stts", of: track), runs("ctts", of: track))
    var syncs = syncNumbers(of: track)
    var (decode, end) = (0, 0)
    var found: Excerpt?
    var beginsAtKeyFrame = false
    for number in 1...track.sampleCount {
      let (duration, offset) = (durations.next() ?? 0, offsets.next() ?? 0)
      let presentation = decode + offset + shift
      // The table's writer moved less than needed: readers don't agree on what that means.
      guard presentation >= 0, duration >= 0 else { return nil }
      let isKeyFrame = syncs.isSync(number)
      if found == nil || (isKeyFrame && presentation <= from) {
        found = Excerpt(decode: decode, presentation: presentation, last: decode)
        beginsAtKeyFrame = isKeyFrame
      }
      guard var excerpt = found else { return nil }
      if presentation < to { excerpt.last = decode + duration / 2 }
      // Those after a key frame, and presented before it, aren't needed.
      if !beginsAtKeyFrame { excerpt.presentation = min(excerpt.presentation, presentation) }
      found = excerpt
      end = max(end, presentation + duration)
      decode += duration
    }
    found?.end = end
    found?.shift = shift
    return found
  }

  /// When the key frames of a track are presented, in its own units, in the order of decoding.
  func keyFrameTimes(of track: MovieTrack) -> [Int] {
    guard track.sampleCount > 0, track.sampleCount <= data.count / 4 else { return [] }
    var (durations, offsets) = (runs("stts", of: track), runs("ctts", of: track))
    var syncs = syncNumbers(of: track)
    var decode = 0
    var times: [Int] = []
    for number in 1...track.sampleCount {
      let (duration, offset) = (durations.next() ?? 0, offsets.next() ?? 0)
      if syncs.isSync(number) { times.append(decode &+ offset) }
      decode = decode &+ duration
    }
    return times
  }

  /// By how much `qtdemux` moves presentation: what the index says (ISO/IEC 14496-12, 8.6.1.4), or
  /// else as much as the earliest frame is presented before it is decoded.
  func compositionShift(of track: MovieTrack) -> Int {
    guard let offsets = data.first("ctts", in: track.table) else { return 0 }
    if let box = data.first("cslg", in: track.table) { return data.u32(box.content + 4) ?? 0 }
    let count = min(data.u32(offsets.content + 4) ?? 0, (offsets.end - offsets.content - 8) / 8)
    let least = (0..<max(0, count)).lazy.compactMap { data.s32(offsets.content + 12 + $0 * 8) }
      .min()
    return max(0, -(least ?? 0))
  }

  private func runs(_ type: String, of track: MovieTrack) -> SampleRuns {
    SampleRuns(data, data.first(type, in: track.table))
  }

  private func syncNumbers(of track: MovieTrack) -> SyncNumbers {
    SyncNumbers(data, data.first("stss", in: track.table))
  }
}

/// A table's values one by one, which it keeps as runs of equal ones (ISO/IEC 14496-12, 8.6.1).
struct SampleRuns {
  private let data: MovieBytes
  private let end: Int
  private var place: Int
  private var left = 0
  private var value = 0

  package init(_ data: MovieBytes, _ box: MovieBox?) {
    self.data = data
    (place, end) = (box.map { $0.content + 8 } ?? 0, box?.end ?? 0)
  }

  mutating func next() -> Int? {
    while left == 0 {
      guard place + 8 <= end, let count = data.u32(place), let value = data.s32(place + 4) else {
        return nil
      }
      (left, self.value, place) = (count, value, place + 8)
    }
    left -= 1
    return value
  }
}

/// Which samples are key frames, asked in order (ISO/IEC 14496-12, 8.6.2).
struct SyncNumbers {
  private let data: MovieBytes
  private let box: MovieBox?
  private var place: Int

  package init(_ data: MovieBytes, _ box: MovieBox?) {
    (self.data, self.box, place) = (data, box, box.map { $0.content + 8 } ?? 0)
  }

  mutating func isSync(_ number: Int) -> Bool {
    // Without the table, all are.
    guard let box else { return true }
    guard place + 4 <= box.end, data.u32(place) == number else { return false }
    place += 4
    return true
  }
}
