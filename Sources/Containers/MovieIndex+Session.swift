/// Edit lists (ISO/IEC 14496-12, 8.6.6): when each track begins, and how much of it is skipped.
extension MovieIndex {
  /// Lets the movie begin with its first frame, where it has video, and each track with the first
  /// sample that was recorded. A pause that all tracks begin with stays.
  ///
  /// `priming` gives, by track identifier, the samples before the first that was recorded, in the
  /// track's units. Audio from before the first frame is skipped to the sample, unless it is of a
  /// track in `kept`: then the movie begins with that. Returns by how much later the movie begins, in
  /// its units.
  mutating func startSession(
    priming: [Int: Int], keepingStartOf kept: Set<Int> = []
  ) -> Int {
    let starts = tracks.filter {
      ($0.kind == .encodedVideo || kept.contains($0.identifier)) && $0.sampleCount > 0
    }.map(\.start)
    let pause = tracks.filter { $0.sampleCount > 0 }.map(\.start).min() ?? 0
    let session = starts.min() ?? pause
    guard timescale > 0 else { return 0 }
    for track in tracks where track.sampleCount > 0 && track.timescale > 0 {
      let early = max(0, session - track.start)
      let skipped = scaled(early, from: timescale, to: track.timescale)
      begin(
        track, after: pause + max(0, track.start - session),
        skipping: skipped &+ (priming[track.identifier] ?? 0))
    }
    sumDurations()
    return session - pause
  }

  private mutating func begin(_ track: MovieTrack, after start: Int, skipping units: Int) {
    guard let edit = track.edits.last, edit.mediaTime >= 0, track.duration > units,
      let list = data.first("edts", "elst", in: track.box)
    else { return }
    let width = data.version(list) == 1 ? 8 : 4
    let lost = scaled(units, from: track.timescale, to: timescale)
    data.set(max(0, edit.duration &- lost), at: edit.offset, bytes: width)
    data.set(edit.mediaTime &+ units, at: edit.offset + width, bytes: width)
    guard let pause = track.edits.first, track.edits.count == 2 else { return }
    if start > 0 {
      data.set(start, at: pause.offset, bytes: width)
    } else {
      dropFirstEdit(pause, before: edit, list, entrySize: 2 * width + 4)
    }
  }

  /// Takes out the first of two entries. The box keeps its place: what is left over of it becomes
  /// a box of free space.
  private mutating func dropFirstEdit(
    _ pause: MovieTrack.Edit, before edit: MovieTrack.Edit, _ list: MovieBox, entrySize: Int
  ) {
    data.bytes.replaceSubrange(
      pause.offset..<(pause.offset + entrySize),
      with: data.bytes[edit.offset..<(edit.offset + entrySize)])
    data.set(1, at: list.content + 4, bytes: 4)
    data.set(list.end - entrySize - list.start, at: list.start, bytes: 4)
    data.set(entrySize, at: list.end - entrySize, bytes: 4)
    let type = list.end - entrySize + 4
    data.bytes.replaceSubrange(type..<(type + 4), with: "free".utf8)
  }

  /// A track's header has the sum of its edits, and the movie's the longest of those.
  private mutating func sumDurations() {
    // The tracks alone, since a second user of the bytes would have them copied.
    guard let changed = MovieIndex(data)?.tracks else { return }
    var longest = 0
    for track in changed where !track.edits.isEmpty {
      let sum = track.edits.map(\.duration).reduce(0, &+)
      let field = duration(of: track.header, at: (20, 28))
      data.set(sum, at: field.offset, bytes: field.width)
      longest = max(longest, sum)
    }
    guard longest > 0 else { return }
    let movie = duration(of: header, at: (16, 24))
    data.set(longest, at: movie.offset, bytes: movie.width)
  }

  func scaled(_ value: Int, from old: Int, to new: Int) -> Int {
    // Only a broken file has times that don't fit; what they become doesn't matter.
    Int(exactly: (Double(value) * Double(new) / Double(old)).rounded()) ?? 0
  }
}

extension MovieTrack {
  /// When the track begins, in the movie's units: how long its edit list shows nothing at first.
  var start: Int {
    guard let first = edits.first, first.mediaTime < 0 else { return 0 }
    return first.duration
  }
}
