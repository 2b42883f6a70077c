/// What a track's samples are and where they are in the file: the table of an ordinary movie
/// (ISO/IEC 14496-12, 8.6 and 8.7). An hour of video and audio takes about 1 MB.
struct SampleTable: Sendable {
  private var durations = PackedRuns()
  private var offsets = PackedRuns()
  /// None as long as all are equal: frames of PCM are 170 million an hour.
  private var sizes = PackedIntegers()
  private var commonSize: Int?
  private(set) var sampleCount = 0
  /// The distances between the numbers of the samples that decoding can start at; the first is 1.
  /// None as long as it can start at all of them.
  private var syncs = PackedIntegers()
  private var lastSync = 0
  private var areAllSync = true
  /// The distances between the offsets of the chunks.
  private var chunks = PackedIntegers()
  private var lastChunk = 0
  private var highestChunk = 0
  /// The samples of each chunk.
  private var chunkSizes = PackedRuns()
  private var chunkCount = 0
  /// The description of the samples, counted from 1, from which chunk on: where that changes.
  private var descriptions: [(chunk: Int, number: Int)] = []
  /// In the track's units.
  private(set) var duration = 0
  /// When the first sample is decoded, where that isn't when the track begins: in the track's units.
  private(set) var start = 0
  /// When the sample that is presented first begins and that which is presented last ends, in the
  /// track's units.
  private(set) var presentationStart: Int?
  private(set) var presentationEnd = 0
  /// When the sample that is presented last begins.
  private var lastPresentation = Int.min

  /// How long after its decoding the first sample is presented.
  var firstOffset: Int { offsets.first ?? 0 }

  /// Adds samples that follow one another in the file, and are what a description of the track says.
  mutating func beginChunk(at offset: Int, samples: Int, description: Int = 1) {
    if description != descriptions.last?.number ?? 1 {
      descriptions.append((chunkCount, description))
    }
    chunkCount += 1
    chunks.append(offset &- lastChunk)
    lastChunk = offset
    highestChunk = max(highestChunk, offset)
    chunkSizes.append(samples)
  }

  mutating func append(_ sample: MovieFragment.Sample) {
    noteSize(sample.size)
    sampleCount += 1
    noteSync(sample.isSync)
    durations.append(sample.duration)
    offsets.append(sample.offset)
    let start = duration &+ sample.offset
    presentationStart = min(presentationStart ?? start, start)
    notePresentation(from: start, duration: sample.duration)
    duration &+= sample.duration
  }

  /// Only the sample that is presented last says when that ends: the others are presented up to the next,
  /// however far their times of decoding are apart.
  private mutating func notePresentation(from start: Int, duration: Int) {
    guard start >= lastPresentation else { return }
    (lastPresentation, presentationEnd) = (start, start &+ duration)
  }

  private mutating func noteSize(_ size: Int) {
    // A common size of 0 would say that there is a table.
    if sampleCount == 0, size > 0 { commonSize = size }
    if let common = commonSize, common != size {
      for _ in 0..<sampleCount { sizes.append(common) }
      commonSize = nil
    }
    if commonSize == nil { sizes.append(size) }
  }

  private mutating func noteSync(_ isSync: Bool) {
    if areAllSync, !isSync {
      for _ in 1..<sampleCount { syncs.append(1) }
      (areAllSync, lastSync) = (false, sampleCount - 1)
    }
    guard !areAllSync, isSync else { return }
    syncs.append(sampleCount - lastSync)
    lastSync = sampleCount
  }

  /// Says when the next sample is decoded: the last lasts until then, and the track begins with its
  /// first. A time from before the last sample is of no effect.
  mutating func reach(_ time: Int) {
    guard let last = durations.last?.value else { return start = max(0, time) }
    let length = time &- start &- duration &+ last
    guard length != last, (0...Int(UInt32.max)).contains(length) else { return }
    durations.removeLast()
    durations.append(length)
    let start = duration &- last
    duration = start &+ length
    notePresentation(from: start &+ (offsets.last?.value ?? 0), duration: length)
  }

  /// Gives the last sample the length of the one before where it has none: a muxer takes a sample's
  /// length from the next, and players don't show one without any.
  mutating func lengthenLast() {
    guard let last = durations.last, last == (1, 0), let length = durations.previous else { return }
    durations.replaceLast(with: length)
    notePresentation(from: duration &+ (offsets.last?.value ?? 0), duration: length)
    duration &+= length
  }
}

extension SampleTable {
  /// Has the last sample that is decoded last so long that all of them are as long as what is presented up to
  /// a time: of frames out of order another one may be presented last, and longer than its place in the
  /// table says.
  mutating func stretch(toPresent end: Int) {
    guard let start = presentationStart, let last = durations.last?.value else { return }
    let missing = end &- start &- duration
    guard missing > 0, last + missing <= Int(UInt32.max) else { return }
    durations.removeLast()
    durations.append(last + missing)
    duration += missing
  }
}

extension SampleTable {
  /// Has the first sample be shorter, so that the track begins later; `false` where it is no longer than
  /// that, and the table stays.
  mutating func shortenFirst(by units: Int) -> Bool {
    guard let first = durations.first, first > units else { return false }
    var (shorter, isFirst) = (PackedRuns(), true)
    durations.forEach { count, value in
      for _ in 0..<count {
        shorter.append(isFirst ? value - units : value)
        isFirst = false
      }
    }
    (durations, duration) = (shorter, duration - units)
    presentationEnd -= units
    return true
  }
}

extension SampleTable {
  /// How many bytes the boxes of the table take at most.
  var byteCount: Int {
    256 + 8 * (durations.count + offsets.count + chunks.count) + 4 * (sizes.count + syncs.count)
      + 12 * (chunkSizes.count + descriptions.count)
  }

  /// Writes the boxes of the table.
  func write(to writer: inout BoxWriter, isVideo: Bool) {
    writer.reserve(writer.count + byteCount)
    Self.write(durations, as: "stts", version: 0, to: &writer)
    if !offsets.isAllZero {
      Self.write(offsets, as: "ctts", version: offsets.hasNegative ? 1 : 0, to: &writer)
    }
    // Without this table every sample is one to start at, as all audio is.
    if isVideo, !areAllSync {
      writer.fullBox("stss") { writer in
        writer.write(syncs.count, bytes: 4)
        var number = 0
        syncs.forEach {
          number += $0
          writer.write(number, bytes: 4)
        }
      }
    }
    writeSizes(to: &writer)
    writeChunks(to: &writer)
  }

  private static func write(
    _ runs: PackedRuns, as type: String, version: Int, to writer: inout BoxWriter
  ) {
    writer.fullBox(type, version: version) { writer in
      writer.write(runs.count, bytes: 4)
      runs.forEach { count, value in
        writer.write(count, bytes: 4)
        writer.write(value, bytes: 4)
      }
    }
  }

  private func writeSizes(to writer: inout BoxWriter) {
    writer.fullBox("stsz") { writer in
      writer.write(commonSize ?? 0, bytes: 4)
      writer.write(sampleCount, bytes: 4)
      if commonSize == nil { sizes.forEach { writer.write($0, bytes: 4) } }
    }
  }

  /// Calls `body` with the first of chunks that have as many samples, of one description.
  private func forEachChunkRun(_ body: (_ chunk: Int, _ samples: Int, _ description: Int) -> Void) {
    var (first, description, turns) = (0, 1, descriptions[...])
    chunkSizes.forEach { count, samples in
      let end = first + count
      while let turn = turns.first, turn.chunk < end {
        if turn.chunk > first { body(first, samples, description) }
        (first, description) = (turn.chunk, turn.number)
        turns.removeFirst()
      }
      body(first, samples, description)
      first = end
    }
  }

  private func writeChunks(to writer: inout BoxWriter) {
    writer.fullBox("stsc") { writer in
      writer.write(0, bytes: 4)
      let start = writer.count - 4
      var rows = 0
      forEachChunkRun { first, samples, description in
        writer.write(first + 1, bytes: 4)
        writer.write(samples, bytes: 4)
        writer.write(description, bytes: 4)
        rows += 1
      }
      writer.replace(at: start, with: rows)
    }
    // An index in front moves the samples on, by less than 1 GiB.
    let isLong = highestChunk > Int(UInt32.max) - 1 << 30
    writer.fullBox(isLong ? "co64" : "stco") { writer in
      writer.write(chunks.count, bytes: 4)
      var offset = 0
      chunks.forEach {
        offset &+= $0
        writer.write(offset, bytes: isLong ? 8 : 4)
      }
    }
  }
}
