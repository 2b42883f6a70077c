/// A `traf` box of a fragment with the sizes of its samples, as far as it says them
/// (ISO/IEC 14496-12, 8.8.7 and 8.8.8).
private struct TrackFragment {
  let header: MovieBox
  let flags: Int
  /// What the runs' offsets count from, from the start of the file.
  let base: Int
  /// The size of the first sample.
  var firstSize = 0
  /// Whether a run gives no sizes and the header gives none for all.
  var lacksSizes = false
  /// The place of each run's offset, and the offset.
  var offsets: [(place: Int, value: Int)] = []
  /// Where the last sample ends, from the start of the file.
  var end = 0

  /// `nil` for a box that isn't written as `mp4mux` writes it.
  init?(_ data: MovieBytes, _ box: MovieBox) {
    guard let header = data.first("tfhd", in: box), let flags = data.u32(header.content),
      flags & 0x3 == 1, let base = data.u64(header.content + 8)
    else { return nil }
    (self.header, self.flags, self.base) = (header, flags & 0xff_ffff, base)
    if flags & 0x10 != 0 {
      firstSize = data.u32(header.content + (flags & 0x8 != 0 ? 20 : 16)) ?? 0
    }
    for run in data.boxes(of: box) where run.type == "trun" {
      guard add(run, of: data) else { return nil }
    }
  }

  private mutating func add(_ run: MovieBox, of data: MovieBytes) -> Bool {
    guard let flags = data.u32(run.content), flags & 0x1 != 0,
      let count = data.u32(run.content + 4), let offset = data.s32(run.content + 8)
    else { return false }
    let width = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 } * 4
    let first = run.content + (flags & 0x4 != 0 ? 16 : 12) + (flags & 0x100 != 0 ? 4 : 0)
    var bytes = count * firstSize
    if flags & 0x200 != 0 {
      guard count <= (run.end - run.content) / width else { return false }
      let sizes = (0..<count).map { data.u32(first + $0 * width) ?? 0 }
      if firstSize == 0 { firstSize = sizes.first ?? 0 }
      bytes = sizes.reduce(0, +)
    } else if self.flags & 0x10 == 0 {
      lacksSizes = true
    }
    offsets.append((run.content + 8, offset))
    end = max(end, base + offset + bytes)
    return true
  }
}

/// Faults of `mp4mux` in what it writes while it records, put right in the same number of bytes.
extension MovieBytes {
  /// Gives a size to samples that a fragment gives none.
  ///
  /// Of a run whose samples are all as large as the fragment's first, `mp4mux` (1.22) leaves the
  /// sizes out, as if the header of the track gave them for all; but it takes them out of the
  /// header as soon as another run differs. A movie with one such fragment can't be read at all.
  /// The header has no room for a size, unless offsets count from the fragment itself rather than
  /// from a place of eight bytes in the file. That is where the samples before it end.
  mutating func repairFragment() {
    guard let fragment = box(at: 0, limit: bytes.count), fragment.type == "moof" else { return }
    let boxes = boxes(of: fragment).filter { $0.type == "traf" }
    let tracks = boxes.compactMap { TrackFragment(self, $0) }
    guard tracks.count == boxes.count, tracks.contains(where: \.lacksSizes),
      let start = tracks.map(\.end).max()
    else { return }
    for track in tracks where track.lacksSizes && track.firstSize > 0 {
      giveSize(to: track, from: start)
    }
  }

  private mutating func giveSize(to track: TrackFragment, from start: Int) {
    let header = track.header.content
    // Out goes the base; in come the sample description's number, the size, and "base is moof".
    set(track.flags & ~0x1 | 0x2_0012, at: header, bytes: 4)
    let usual = track.flags & 0x8 != 0 ? u32(header + 16) : nil
    set(1, at: header + 8, bytes: 4)
    // The default flags, where there are any, stay where they are.
    if let usual { set(usual, at: header + 12, bytes: 4) }
    set(track.firstSize, at: header + (usual == nil ? 12 : 16), bytes: 4)
    for offset in track.offsets {
      set(track.base + offset.value - start, at: offset.place, bytes: 4)
    }
  }

  /// Makes readers skip the tracks of a recording that had no sample when it began: many refuse a
  /// movie with a track that doesn't say what its samples are.
  mutating func hideTracksWithoutFormat() {
    guard let movie = box(at: 0, limit: bytes.count), movie.type == "moov",
      first("mvex", in: movie) != nil
    else { return }
    for track in boxes(of: movie) where track.type == "trak" {
      guard let formats = first("mdia", "minf", "stbl", "stsd", in: track),
        u32(formats.content + 4) == 0
      else { continue }
      for (index, byte) in "free".utf8.enumerated() { bytes[track.start + 4 + index] = byte }
    }
  }
}
