/// What a track's samples are and where they lie: what becomes of fragments in an ordinary movie
/// (ISO/IEC 14496-12, 8.6 and 8.7). Equal neighbours are kept as one.
struct SampleTable: Sendable {
  /// A value that so many samples have, in as few bits as the boxes hold: frames that are presented
  /// in another order have one each.
  private struct Run {
    var count: UInt32
    let value: Int32
  }

  private var durations: [Run] = []
  private var offsets: [Run] = []
  private var sizes: [UInt32] = []
  /// The numbers of the samples that decoding can start at; the first is 1.
  private var syncs: [UInt32] = []
  /// The offset of each chunk.
  private var chunks: [Int] = []
  /// The first chunk, from 1, of those that hold so many samples.
  private var chunkSizes: [(first: Int, samples: Int)] = []
  /// In the track's units.
  private(set) var duration = 0
  /// When the sample that is presented last ends, in the track's units.
  private(set) var presentationEnd = 0

  var sampleCount: Int { sizes.count }
  /// How long after its decoding the first sample is presented.
  var firstOffset: Int { Int(offsets.first?.value ?? 0) }

  /// Adds samples that follow one another in the file.
  mutating func beginChunk(at place: Int, samples: Int) {
    chunks.append(place)
    if chunkSizes.last?.samples != samples { chunkSizes.append((chunks.count, samples)) }
  }

  mutating func append(_ sample: MovieFragment.Sample) {
    sizes.append(UInt32(truncatingIfNeeded: sample.size))
    if sample.isSync { syncs.append(UInt32(truncatingIfNeeded: sizes.count)) }
    Self.count(sample.duration, in: &durations)
    Self.count(sample.offset, in: &offsets)
    presentationEnd = max(presentationEnd, duration &+ sample.offset &+ sample.duration)
    duration += sample.duration
  }

  /// Gives the last sample the length of the one before where it has none: a muxer takes a sample's
  /// length from the next, and players don't show one without any.
  mutating func lengthenLast() {
    guard durations.count > 1, let last = durations.last, last.value == 0, last.count == 1 else {
      return
    }
    durations.removeLast()
    let length = Int(durations[durations.count - 1].value)
    Self.count(length, in: &durations)
    let offset = Int(offsets.last?.value ?? 0)
    presentationEnd = max(presentationEnd, duration &+ offset &+ length)
    duration &+= length
  }

  private static func count(_ value: Int, in runs: inout [Run]) {
    let value = Int32(truncatingIfNeeded: value)
    if runs.last?.value == value {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(count: 1, value: value))
    }
  }
}

extension SampleTable {
  /// Writes the boxes of the table.
  func write(to writer: inout BoxWriter, isVideo: Bool) {
    writer.reserve(
      writer.bytes.count + 256 + 8 * (durations.count + offsets.count + chunks.count)
        + 4 * (sizes.count + syncs.count) + 12 * chunkSizes.count)
    Self.write(durations, as: "stts", version: 0, to: &writer)
    if offsets.contains(where: { $0.value != 0 }) {
      let isSigned = offsets.contains { $0.value < 0 }
      Self.write(offsets, as: "ctts", version: isSigned ? 1 : 0, to: &writer)
    }
    // Without this table every sample is one to start at, as all audio is.
    if isVideo, syncs.count < sizes.count {
      writer.fullBox("stss") { writer in
        writer.write(syncs.count, bytes: 4)
        for number in syncs { writer.write(Int(number), bytes: 4) }
      }
    }
    writeSizes(to: &writer)
    writeChunks(to: &writer)
  }

  private static func write(
    _ runs: [Run], as type: String, version: Int, to writer: inout BoxWriter
  ) {
    writer.fullBox(type, version: version) { writer in
      writer.write(runs.count, bytes: 4)
      for run in runs {
        writer.write(Int(run.count), bytes: 4)
        writer.write(Int(run.value), bytes: 4)
      }
    }
  }

  private func writeSizes(to writer: inout BoxWriter) {
    let common = sizes.first.flatMap { first in sizes.allSatisfy { $0 == first } ? first : nil }
    writer.fullBox("stsz") { writer in
      writer.write(Int(common ?? 0), bytes: 4)
      writer.write(sizes.count, bytes: 4)
      if common == nil { for size in sizes { writer.write(Int(size), bytes: 4) } }
    }
  }

  private func writeChunks(to writer: inout BoxWriter) {
    writer.fullBox("stsc") { writer in
      writer.write(chunkSizes.count, bytes: 4)
      for (first, samples) in chunkSizes {
        writer.write(first, bytes: 4)
        writer.write(samples, bytes: 4)
        writer.write(1, bytes: 4)
      }
    }
    // An index in front moves the samples on, by less than 1 GiB.
    let isLong = (chunks.max() ?? 0) > Int(UInt32.max) - 1 << 30
    writer.fullBox(isLong ? "co64" : "stco") { writer in
      writer.write(chunks.count, bytes: 4)
      for place in chunks { writer.write(place, bytes: isLong ? 8 : 4) }
    }
  }
}
