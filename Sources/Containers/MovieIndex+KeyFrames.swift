/// Where decoding has to begin for a frame to be shown.
extension MovieIndex {
  /// Times of a track's frames, in its units.
  struct KeyFrame: Equatable {
    /// When the key frame is decoded.
    var decode: Int
    /// When it is presented.
    var presentation: Int
    /// When the track's last frame ends.
    var end: Int
  }

  /// The last key frame that is presented at a time of the track, or before; `nil` where the table
  /// of samples doesn't tell, as in a movie in fragments.
  func keyFrame(of track: MovieTrack, at time: Int) -> KeyFrame? {
    // A table has four bytes for each frame's size: a count beyond that is wrong.
    guard track.sampleCount > 0, track.sampleCount <= data.bytes.count / 4,
      data.first("cslg", in: track.table) == nil
    else { return nil }
    var (durations, offsets) = (runs("stts", of: track), runs("ctts", of: track))
    var syncs = syncNumbers(of: track)
    var (decode, end) = (0, 0)
    var found: KeyFrame?
    for number in 1...track.sampleCount {
      let (duration, offset) = (durations.next() ?? 0, offsets.next() ?? 0)
      // Readers shift negative times, and not all in the same way.
      guard offset >= 0 else { return nil }
      if syncs.isSync(number), decode + offset <= time {
        found = KeyFrame(decode: decode, presentation: decode + offset, end: 0)
      }
      end = max(end, decode + offset + duration)
      decode += duration
    }
    found?.end = end
    return found
  }

  private func runs(_ type: String, of track: MovieTrack) -> SampleRuns {
    SampleRuns(data, data.first(type, in: track.table))
  }

  private func syncNumbers(of track: MovieTrack) -> SyncNumbers {
    SyncNumbers(data, data.first("stss", in: track.table))
  }
}

/// A table's values one by one, which it keeps as runs of equal ones (ISO/IEC 14496-12, 8.6.1).
private struct SampleRuns {
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
private struct SyncNumbers {
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
