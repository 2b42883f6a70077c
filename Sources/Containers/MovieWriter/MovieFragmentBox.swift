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
    /// Where among the fragment's bytes its samples are, so many in a row; none where they follow those
    /// of the run before.
    var chunks: [MovieChunk] = []
    /// Which of the track's descriptions they have, from 1.
    var description = 1
  }

  /// The boxes' bytes, which the runs' samples follow one run after the other; with room for a seal
  /// where it says how much of the file is flushed, and with marks whose times count from the movie's
  /// beginning.
  static func bytes(
    number: Int, flushedCount: Int?, marks: [ChapterMark] = [], _ runs: [Run]
  ) -> [UInt8] {
    var writer = BoxWriter()
    var offsets: [[Int]] = []
    writer.box("moof") { writer in
      writer.fullBox("mfhd") { $0.write(number, bytes: 4) }
      if let flushedCount { FragmentSeal.writeEmpty(flushedCount: flushedCount, to: &writer) }
      if !marks.isEmpty { ChapterMarks.write(marks, to: &writer) }
      for run in runs { write(run, to: &writer, &offsets) }
    }
    let size = runs.reduce(0) { $0 + $1.byteCount }
    let isLong = size > Int(UInt32.max) - 8
    var place = writer.bytes.count + (isLong ? 16 : 8)
    let start = place
    for (run, offsets) in zip(runs, offsets) {
      for (index, offset) in offsets.enumerated() {
        writer.replace(
          at: offset, with: run.chunks.isEmpty ? place : start + run.chunks[index].offset)
      }
      place += run.byteCount
    }
    writer.write(isLong ? 1 : size + 8, bytes: 4)
    writer.write("mdat")
    if isLong { writer.write(size + 16, bytes: 8) }
    return writer.bytes
  }

  /// What the boxes of a fragment take at most, whichever samples are in a row.
  static func mostBytes(ofSamples count: Int, tracks: Int) -> Int { 64 + 64 * tracks + 36 * count }

  /// What is the same of all samples of a run, and so said once.
  private struct Common {
    let duration: Int?
    let size: Int?
    let hasOffsets: Bool
    let isSynced: Bool

    init(_ samples: [MovieFragment.Sample]) {
      let first = samples.first ?? MovieFragment.Sample()
      duration = samples.allSatisfy { $0.duration == first.duration } ? first.duration : nil
      size =
        samples.count > 1 && samples.allSatisfy { $0.size == first.size } ? first.size : nil
      hasOffsets = samples.contains { $0.offset != 0 }
      isSynced = samples.allSatisfy(\.isSync)
    }

    /// The flags of a `trun` box (8.8.8.1).
    var flags: Int {
      0x1 | (size != nil ? 0 : 0x200) | (duration != nil ? 0 : 0x100) | (isSynced ? 0 : 0x400)
        | (hasOffsets ? 0x800 : 0)
    }
  }

  private static func write(_ run: Run, to writer: inout BoxWriter, _ offsets: inout [[Int]]) {
    let common = Common(run.samples)
    writer.box("traf") { writer in
      // Offsets count from the fragment's own start; and what holds where a run says nothing else.
      let isOther = run.description != 1
      let flags = 0x2_0000 | 0x20 | (common.duration != nil ? 0x8 : 0) | (isOther ? 0x2 : 0)
      writer.fullBox("tfhd", flags: flags | (common.size != nil ? 0x10 : 0)) { writer in
        writer.write(run.track, bytes: 4)
        if isOther { writer.write(run.description, bytes: 4) }
        if let duration = common.duration { writer.write(duration, bytes: 4) }
        if let size = common.size { writer.write(size, bytes: 4) }
        writer.write(
          common.isSynced ? MovieFragment.Sample.syncFlags : MovieFragment.Sample.deltaFlags,
          bytes: 4)
      }
      writer.fullBox("tfdt", version: 1) { $0.write(run.start, bytes: 8) }
      var places: [Int] = []
      var first = 0
      for count in run.chunks.isEmpty ? [run.samples.count] : run.chunks.map(\.count) {
        places.append(write(run.samples[first..<first + count], common, to: &writer))
        first += count
      }
      offsets.append(places)
    }
  }

  /// Writes samples that follow one another; returns where it says where the first is.
  private static func write(
    _ samples: ArraySlice<MovieFragment.Sample>, _ common: Common, to writer: inout BoxWriter
  ) -> Int {
    var place = 0
    writer.fullBox("trun", version: 1, flags: common.flags) { writer in
      writer.write(samples.count, bytes: 4)
      place = writer.bytes.count
      writer.write(0, bytes: 4)
      for sample in samples where common.flags != 0x1 {
        if common.duration == nil { writer.write(sample.duration, bytes: 4) }
        if common.size == nil { writer.write(sample.size, bytes: 4) }
        if !common.isSynced { writer.write(sample.flags, bytes: 4) }
        if common.hasOffsets { writer.write(sample.offset, bytes: 4) }
      }
    }
    return place
  }
}

/// Samples of a track that follow one another in a fragment, without others between.
struct MovieChunk: Hashable, Sendable {
  var count: Int
  /// Where the first is, from the first byte of the fragment's samples.
  var offset: Int
}

extension MovieFragment.Sample {
  /// The flags of a sample that decoding can start at, and of one that needs others (8.8.3.1).
  static let syncFlags = 0x200_0000
  static let deltaFlags = 0x101_0000
}
