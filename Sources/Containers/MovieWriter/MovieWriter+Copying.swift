import Media
import GraphKitSystem

/// Samples that are copied from another file, many at once and without looking at them.
extension MovieWriter {
  /// Takes samples of tracks that are in a file, in the order in which they are to be in the movie,
  /// and writes them as a fragment: what is together there stays together. Throws where either file
  /// can't be read or written.
  ///
  /// A movie has all its samples so, or none.
  package mutating func copy(_ samples: [FileSample], of source: File) throws {
    var ranges: [Range<Int>] = []
    var size = 0
    for sample in samples where try tracks[sample.stream].append(sample, of: source, at: size) {
      let range = sample.offset..<sample.offset + sample.byteCount
      if let last = ranges.last, last.upperBound == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
      size += sample.byteCount
    }
    guard size > 0 else { return }
    if bodyStart == nil { try writeStart() }
    let box = settings.isFragmented ? boxOfCopied(size) : []
    let start = end + box.count
    try copy(ranges, size, of: source, at: start)
    if !box.isEmpty { try writeWhole(box, at: end) }
    for index in tracks.indices { tracks[index].takeCopied(at: start) }
    end = start + size
  }

  /// The box of a fragment, with the header of its samples' box.
  private mutating func boxOfCopied(_ size: Int) -> [UInt8] {
    fragmentCount += 1
    let listed = tracks.indices.filter { tracks[$0].hasPending && described.contains($0) }
    var runs = listed.map { index in
      var run = tracks[index].run(
        tracks[index].pending.count, from: late.contains(index) ? session : nil)
      (run.chunks, run.byteCount) = (tracks[index].chunks, 0)
      return run
    }
    // The samples of tracks that the index in front doesn't describe are among them.
    if !runs.isEmpty { runs[0].byteCount = size }
    return MovieFragmentBox.bytes(number: fragmentCount, flushedCount: nil, runs)
  }

  /// Below this size, on average, ranges are read and written together.
  private static let smallRange = 1 << 16

  private func copy(
    _ ranges: [Range<Int>], _ size: Int, of source: File, at offset: Int
  ) throws {
    var place = offset
    guard ranges.count > 1, size / ranges.count < Self.smallRange else {
      for range in ranges {
        try file.copy(range, of: source, at: place)
        place += range.count
      }
      return
    }
    let bytes = try Self.bytes(of: ranges, size, in: source)
    try file.write(bytes.span, at: place)
  }

  /// The bytes of ranges that are near each other, one after the other.
  private static func bytes(
    of ranges: [Range<Int>], _ size: Int, in source: File
  ) throws -> [UInt8] {
    let (start, end) = ranges.reduce((Int.max, 0)) { bounds, range in
      (min(bounds.0, range.lowerBound), max(bounds.1, range.upperBound))
    }
    let isDense = end - start <= 4 * size
    let all = isDense ? try source.read(at: start, count: end - start) : []
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    for range in ranges {
      let part =
        isDense
        ? all[
          max(
            0, min(all.count, range.lowerBound - start))..<min(all.count, range.upperBound - start)]
        : try source.read(at: range.lowerBound, count: range.count)[...]
      guard part.count == range.count else { throw File.Failure.cutOff }
      bytes += part
    }
    return bytes
  }
}
