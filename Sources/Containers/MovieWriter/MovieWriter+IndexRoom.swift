import Media
import GraphKitSystem

/// The index in front of the samples, in room that is kept for it where all samples are known
/// beforehand.
///
/// ```text
///  while samples are copied                     at the end
///  ┌──────┬────────┬──────┬──────┬─             ┌──────┬──────┬──────┬────────────────────────┐
///  │ ftyp │ free   │ moov │ moof │ …            │ ftyp │ moov │ free │ mdat ( moov  moof … )  │
///  └──────┴────────┴──────┴──────┴─             └──────┴──────┴──────┴────────────────────────┘
/// ```
///
/// The index, the empty box after it and the header of the samples' box, whose place is the last 16
/// bytes of the room, are written as contents of the empty box, where no reader sees them. Then one
/// write of the index's header, of eight bytes, makes it an ordinary movie.
extension MovieWriter {
  /// Room for what is said of the movie while it is copied: marks, tags.
  private static let spareRoom = 4_096
  /// A larger index goes after the samples, and is then moved in front of them.
  private static let mostRoom = 1 << 28

  /// Keeps room for the index of samples that are to be copied, before the first of them. `next` hands
  /// out all of them as they are then handed to ``copy(_:of:)``; a movie that gets others has its index
  /// after them where it doesn't fit.
  package mutating func reserveIndex(
    _ next: () throws -> (samples: [FileSample], source: File)?
  ) throws {
    guard settings.isIndexFirst, settings.segmentDuration == nil, bodyStart == nil else { return }
    var trial = self
    trial.file = Nowhere()
    // Not less than the offsets will be: those of over 4 GiB take twice the room.
    trial.end = Self.mostRoom
    while let (samples, source) = try next() { try trial.list(samples, of: source) }
    let size = try trial.finalIndex().bytes.count + Self.spareRoom
    if size <= Self.mostRoom { indexRoom = size }
  }

  /// Takes samples into the tables alone.
  private mutating func list(_ samples: [FileSample], of source: File) throws {
    var size = 0
    for sample in samples where try tracks[sample.stream].append(sample, of: source, at: size) {
      size += sample.byteCount
    }
    for index in tracks.indices { tracks[index].takeCopied(at: end) }
    end += size + MovieFragmentBox.mostBytes(ofSamples: samples.count, tracks: tracks.count)
  }

  /// Writes the index into its room; `false` where there is none, or it doesn't fit.
  mutating func write(_ index: [UInt8], inFrontAt start: Int) throws -> Bool {
    let (samples, indexEnd) = (start + indexRoom - 16, start + index.count)
    // An empty box has at least eight bytes.
    guard samples == indexEnd || samples >= indexEnd + 8 else { return false }
    try file.write(index.span.extracting(droppingFirst: 8), at: start + 8)
    if samples > indexEnd {
      var empty = BoxWriter()
      empty.write(samples - indexEnd, bytes: 4)
      empty.write("free")
      try file.write(empty.bytes.span, at: indexEnd)
    }
    try file.write(BoxWriter.sampleHeader(of: end - samples).span, at: samples)
    // Without these and all samples on the disk, the movie may not become one that needs them.
    try file.flush()
    try file.write(index.span.extracting(first: 8), at: start)
    try file.flush()
    return true
  }
}

/// A file that is never read.
private struct Nowhere: MovieDestination {
  func write(_ bytes: Span<UInt8>, at offset: Int) {}
}
