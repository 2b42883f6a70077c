/// Writes the `moof` box of a fragment and the header of the `mdat` box after it (ISO/IEC 14496-12,
/// 8.8).
struct MovieFragmentBox {
  /// The samples of one track.
  struct Run {
    var track: Int
    /// When the first of them is decoded, in the track's units.
    var start: Int
    var samples: [MovieFragment.Sample]
    var byteCount: Int
  }

  /// The boxes' bytes, which the runs' samples follow one run after the other; with room for a seal
  /// where it says how much of the file is flushed, and with marks whose times count from the movie's
  /// beginning.
  static func bytes(
    number: Int, flushedCount: Int?, marks: [ChapterMark] = [], _ runs: [Run]
  ) -> [UInt8] {
    var writer = BoxWriter()
    var offsets: [Int] = []
    writer.box("moof") { writer in
      writer.fullBox("mfhd") { $0.write(number, bytes: 4) }
      if let flushedCount { FragmentSeal.writeEmpty(flushedCount: flushedCount, to: &writer) }
      if !marks.isEmpty { ChapterMarks.write(marks, to: &writer) }
      for run in runs { write(run, to: &writer, &offsets) }
    }
    let size = runs.reduce(0) { $0 + $1.byteCount }
    let isLong = size > Int(UInt32.max) - 8
    var place = writer.bytes.count + (isLong ? 16 : 8)
    for (run, offset) in zip(runs, offsets) {
      writer.replace(at: offset, with: place)
      place += run.byteCount
    }
    writer.write(isLong ? 1 : size + 8, bytes: 4)
    writer.write("mdat")
    if isLong { writer.write(size + 16, bytes: 8) }
    return writer.bytes
  }

  private static func write(_ run: Run, to writer: inout BoxWriter, _ offsets: inout [Int]) {
    let samples = run.samples
    let duration = samples.first?.duration ?? 0
    let isEven = samples.allSatisfy { $0.duration == duration }
    let size = samples.first?.size ?? 0
    let isSameSize = samples.count > 1 && samples.allSatisfy { $0.size == size }
    let hasOffsets = samples.contains { $0.offset != 0 }
    let isSynced = samples.allSatisfy(\.isSync)
    writer.box("traf") { writer in
      // Offsets count from the fragment's own start; and what holds where a run says nothing else.
      writer.fullBox("tfhd", flags: 0x2_0000 | 0x20 | (isEven ? 0x8 : 0) | (isSameSize ? 0x10 : 0))
      { writer in
        writer.write(run.track, bytes: 4)
        if isEven { writer.write(duration, bytes: 4) }
        if isSameSize { writer.write(size, bytes: 4) }
        writer.write(
          isSynced ? MovieFragment.Sample.syncFlags : MovieFragment.Sample.deltaFlags, bytes: 4)
      }
      writer.fullBox("tfdt", version: 1) { $0.write(run.start, bytes: 8) }
      let flags =
        0x1 | (isSameSize ? 0 : 0x200) | (isEven ? 0 : 0x100) | (isSynced ? 0 : 0x400)
        | (hasOffsets ? 0x800 : 0)
      writer.fullBox("trun", version: 1, flags: flags) { writer in
        writer.write(samples.count, bytes: 4)
        offsets.append(writer.bytes.count)
        writer.write(0, bytes: 4)
        for sample in samples where flags != 0x1 {
          if !isEven { writer.write(sample.duration, bytes: 4) }
          if !isSameSize { writer.write(sample.size, bytes: 4) }
          if !isSynced { writer.write(sample.flags, bytes: 4) }
          if hasOffsets { writer.write(sample.offset, bytes: 4) }
        }
      }
    }
  }
}

extension MovieFragment.Sample {
  /// The flags of a sample that decoding can start at, and of one that needs others (8.8.3.1).
  static let syncFlags = 0x200_0000
  static let deltaFlags = 0x101_0000
}
