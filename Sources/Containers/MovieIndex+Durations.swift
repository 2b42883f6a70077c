import Media

/// A movie's duration field: where it is, its value and its bytes.
typealias MovieLength = (offset: Int, value: Int, bytes: [UInt8])

/// How long tracks are: what their headers say, and what their samples add up to.
extension MovieIndex {
  /// The end of the last part of a track that its edit list presents; `nil` where the file doesn't
  /// say.
  func end(of track: MovieTrack) -> MediaTime? {
    guard let scale = Int32(exactly: track.timescale), let movieScale = Int32(exactly: timescale),
      track.duration > 0, track.duration < Int(UInt32.max), data.first("mvex", in: movie) == nil
    else { return nil }
    let whole = MediaTime(value: Int64(track.duration), timescale: scale)
    let ends = track.edits.filter { $0.mediaTime >= 0 && $0.duration > 0 }.map { edit in
      MediaTime(value: Int64(edit.mediaTime), timescale: scale)
        + MediaTime(value: Int64(edit.duration), timescale: movieScale)
    }
    return min(whole, ends.max() ?? whole)
  }

  /// Whether a part goes to the end of the samples in the index, of a movie that goes on in
  /// fragments: it was written before there were any, and doesn't cut them off.
  func goesOn(after part: MovieTrack.Edit, of track: MovieTrack) -> Bool {
    guard data.first("mvex", in: movie) != nil, track.duration > 0, track.timescale > 0 else {
      return false
    }
    let whole = Double(track.duration) / Double(track.timescale)
    let end =
      Double(part.mediaTime) / Double(track.timescale) + Double(part.duration) / Double(timescale)
    // Less than any packet lasts, since the units differ.
    return end > whole - 0.001
  }

  /// The movie's duration field as if every track were presented whole: GStreamer's demuxer reads
  /// no packet that begins after it.
  var longestDuration: MovieLength {
    let field = duration(of: header, at: (16, 24))
    let units = tracks.filter { $0.timescale > 0 }.map {
      (Double(sampleDuration(of: $0)) / Double($0.timescale) * Double(timescale)).rounded(.up) + 1
    }
    let longest = max(field.value, units.max().flatMap { Int(exactly: $0) } ?? 0)
    return (field.offset, longest, Self.bytes(of: longest, width: field.width))
  }

  /// What has GStreamer's demuxer read a track to its last sample, by where in the box of the index
  /// it goes. It stops where the headers say that the track or the movie ends, and encoders exist
  /// that count a packet too few there.
  func lengthPatches(of track: MovieTrack, in movie: MovieLength) -> [Int: [UInt8]] {
    var patches = [movie.offset: movie.bytes]
    let field = duration(of: track.mediaHeader, at: (16, 24))
    let whole = max(sampleDuration(of: track), leastDuration(of: track, in: movie))
    if whole > field.value { patches[field.offset] = Self.bytes(of: whole, width: field.width) }
    return patches
  }

  /// What has GStreamer's demuxer (1.22) show the tracks that last less than a fifth of the movie, by
  /// where in the box of the index it goes: it takes them for pictures of a preview.
  func shortTrackPatches(in movie: MovieLength) -> [Int: [UInt8]] {
    var patches: [Int: [UInt8]] = [:]
    for track in tracks where track.sampleCount > 0 {
      let field = duration(of: track.mediaHeader, at: (16, 24))
      let least = leastDuration(of: track, in: movie)
      if least > field.value { patches[field.offset] = Self.bytes(of: least, width: field.width) }
    }
    return patches
  }

  /// A quarter of the movie, in a track's units, as far as its header can say it; 0 where the movie
  /// doesn't say how long it is.
  private func leastDuration(of track: MovieTrack, in movie: MovieLength) -> Int {
    let isStated = movie.bytes.count == 8 || movie.value < Int(UInt32.max)
    guard timescale > 0, isStated else { return 0 }
    let width = duration(of: track.mediaHeader, at: (16, 24)).width
    let least = scaled(movie.value / 4, from: timescale, to: track.timescale)
    return min(least, width == 4 ? Int(UInt32.max) - 1 : Int.max / 2)
  }

  /// Whether the samples of a track last longer than its header, or that of the movie, says.
  func isUnderstated(_ track: MovieTrack) -> Bool {
    let movie = duration(of: header, at: (16, 24))
    let samples = sampleDuration(of: track)
    return samples > track.duration
      || scaled(samples, from: max(track.timescale, 1), to: timescale) > movie.value
  }

  /// The length of a track's samples, or what its header says where that is more, in its units. A
  /// last sample without a length counts as the one before: it would begin at the end.
  func sampleDuration(of track: MovieTrack) -> Int {
    guard let table = data.first("stts", in: track.table) else { return track.duration }
    let count = min(data.u32(table.content + 4) ?? 0, max(0, table.end - table.content - 8) / 8)
    guard count > 0 else { return track.duration }
    var (sum, last, previous) = (0, 0, 1)
    for place in stride(from: table.content + 8, to: table.content + 8 + count * 8, by: 8) {
      guard let samples = data.u32(place), let duration = data.s32(place + 4) else { break }
      let (total, overflows) = sum.addingReportingOverflow(samples * max(0, duration))
      guard !overflows else { return track.duration }
      sum = total
      last = duration
      if duration > 0 { previous = duration }
    }
    return max(sum &+ (last > 0 ? 0 : previous), track.duration)
  }

  private static func bytes(of value: Int, width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
  }
}
