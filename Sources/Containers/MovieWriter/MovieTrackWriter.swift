import Media
import GraphKitSystem

/// A track while it is written: its samples that aren't in the file yet, and the table of those that
/// are.
struct MovieTrackWriter {
  let identifier: Int
  let options: MovieTrackOptions
  private(set) var format: MovieTrackFormat?
  private(set) var isEnded = false
  /// When the sample that is presented first is presented and the first is decoded, in nanoseconds.
  private(set) var presentation: Int64?
  private(set) var decode: Int64 = 0
  /// When the newest sample is presented.
  private(set) var newest: Int64?
  /// Samples of the next fragment, and their bytes.
  private(set) var pending: [MovieFragment.Sample] = []
  private(set) var bytes: [UInt8] = []
  /// When the first of those is decoded, in the track's units.
  private(set) var pendingStart = 0
  /// When the last sample that came ends, in nanoseconds.
  private(set) var reach: Int64 = .min
  private(set) var firstBytes: [UInt8] = []
  private var table = SampleTable()
  /// The newest sample: how long it lasts is only known with the next.
  private var last: MovieFragment.Sample?
  private var lastDecode = 0
  private var lastLength = 0
  /// What the newest sample said of its length.
  private var statedLength = 0
  /// When the sample that is presented last ends by itself.
  private var presentedEnd = 0
  /// Whether samples that are presented before that one have come after it.
  private var endsOutOfOrder = false
  /// Whether the newest sample is still pending.
  private var lastIsPending = false
  /// Samples that were left out, since they come before one that is there.
  private(set) var lateCount = 0
  /// When the newest sample is decoded, in nanoseconds.
  private var newestDecode = Int64.min
  /// The size and checksum of the last sample that was handed over.
  private(set) var lastWritten = (size: 0, sum: UInt64(0))
  /// Where the last sample is that was copied from a file, and not handed over.
  private var lastCopied: (file: File, range: Range<Int>)?
  /// Where among a fragment's bytes the samples of the track are, where those of other tracks are
  /// between them.
  private(set) var chunks: [MovieChunk] = []
  private var chunkEnd = 0
  /// What the samples are besides ``format``, where that changes on the way.
  private(set) var laterFormats: [MovieTrackFormat] = []
  /// Which of the descriptions the samples have that are pending, from 1; and after how many of them
  /// others follow, of which.
  private(set) var description = 1
  private var turns: [(count: Int, description: Int)] = []

  init(identifier: Int, options: MovieTrackOptions) {
    (self.identifier, self.options) = (identifier, options)
  }

  /// Bytes of the first sample that are kept: all of an access unit of E-AC-3.
  private static let beginning = 1 << 14

  /// Whether it has ever had a sample.
  var isBegun: Bool { presentation != nil }
  /// Whether there may be no samples for long times, so that nothing waits for them.
  var isSparse: Bool { format?.isText == true }
  var timescale: Int { format?.timescale ?? 1 }
  var hasPending: Bool { !pending.isEmpty }

  mutating func begin(_ format: MovieTrackFormat) { self.format = self.format ?? format }

  /// Says that the samples which follow are something else. A description that there is already is taken
  /// again.
  mutating func change(to new: MovieTrackFormat) {
    guard isBegun else {
      format = new
      return
    }
    let known = [format].compactMap(\.self) + laterFormats
    if let index = known.firstIndex(where: { !$0.needsDescription(besides: new) }) {
      turns.append((pending.count, index + 1))
    } else {
      laterFormats.append(new)
      turns.append((pending.count, known.count + 1))
    }
    takeTurns()
  }

  private mutating func takeTurns() {
    while let turn = turns.first, turn.count == 0 {
      description = turn.description
      turns.removeFirst()
    }
  }

  mutating func setLanguage(_ language: String) {
    if format?.languageTag == nil { format?.language = language }
  }

  mutating func end() { isEnded = true }

  /// Takes the next sample; `false` where it is decoded before the one that came before it. There is
  /// no place for it in a track, and to move it would be to show it at another time.
  mutating func append(_ sample: MovieSample, _ data: Span<UInt8>) -> Bool {
    if isSparse, !isBegun { beginText(before: sample.decode) }
    if let size = format?.frameSize { return appendFrames(of: sample, size: size, data) }
    guard let sample = inOrder(sample) else {
      lateCount += 1
      return false
    }
    note(sample, data)
    if isSparse { fillPause(until: units(sample.decode)) }
    add(sample, data)
    return true
  }

  /// A sample that is decoded after the one before it; `nil` where it is presented before that.
  ///
  /// An encoder that begins anew, as it does with another size, sends its first frame as early as it held
  /// frames back, which may be before the last one of the old size.
  private func inOrder(_ sample: MovieSample) -> MovieSample? {
    guard isBegun, units(sample.decode) < lastDecode else { return sample }
    let unit = 1_000_000_000 / Int64(max(1, timescale)) + 1
    guard format?.isVideo == true, sample.presentation >= newestDecode else { return nil }
    var moved = sample
    moved.decode = min(sample.presentation, newestDecode + unit)
    return moved
  }

  private mutating func add(_ sample: MovieSample, _ data: Span<UInt8>) {
    add(entry(of: sample, size: data.count), at: units(sample.decode))
    bytes.append(copying: data)
  }

  /// What a table says of a sample, before the next has come.
  private mutating func entry(of sample: MovieSample, size: Int) -> MovieFragment.Sample {
    let start = units(sample.decode)
    settleLast(until: start)
    let length = length(of: sample)
    endsOutOfOrder = sample.presentation != newest
    if !endsOutOfOrder { presentedEnd = units(sample.presentation) + length }
    return MovieFragment.Sample(
      duration: length, size: size,
      flags: sample.isSync ? MovieFragment.Sample.syncFlags : MovieFragment.Sample.deltaFlags,
      offset: units(sample.presentation) - start)
  }

  private mutating func add(_ sample: MovieFragment.Sample, at start: Int) {
    settleLast(until: start)
    if pending.isEmpty { pendingStart = start }
    pending.append(sample)
    (last, lastDecode, lastIsPending) = (sample, start, true)
  }

  /// Takes a block of PCM, each frame of which is a sample. Blocks that begin a little early, or a
  /// unit late, follow the one before all the same.
  private mutating func appendFrames(
    of block: MovieSample, size: Int, _ data: Span<UInt8>
  ) -> Bool {
    let count = data.count / size
    let end = last == nil ? 0 : lastDecode + 1
    let time = isBegun ? units(block.decode) : 0
    guard !isBegun || time + count > end - 1 else {
      lateCount += 1
      return false
    }
    note(block, data)
    let start = time <= end + 1 ? end : time
    let frame = MovieFragment.Sample(
      duration: 1, size: size, flags: MovieFragment.Sample.syncFlags, offset: 0)
    for index in 0..<count { add(frame, at: start + index) }
    bytes.append(copying: data.extracting(first: count * size))
    return true
  }

  /// Text begins with the movie, as players that don't read edit lists of text have it, and shows
  /// nothing at first.
  private mutating func beginText(before time: Int64) {
    guard time > 0 else { return }
    let empty = MovieSample(presentation: 0, decode: 0, duration: time, isSync: true)
    let nothing = MovieText.empty
    note(empty, nothing.span)
    add(empty, nothing.span)
  }

  /// A text is shown until the next: where one ends before, an empty one follows it.
  private mutating func fillPause(until start: Int) {
    guard let last, lastDecode + last.duration < start else { return }
    add(
      MovieFragment.Sample(
        duration: 0, size: MovieText.empty.count, flags: MovieFragment.Sample.syncFlags),
      at: lastDecode + last.duration)
    bytes += MovieText.empty
  }

  /// How long a sample is until the next comes. A frame that is said to be as short as the one before,
  /// which was far longer, has its length of the stream's rate of ticks: parsers read that so.
  private mutating func length(of sample: MovieSample) -> Int {
    let length = MovieTimeline.units(sample.duration, timescale)
    defer { statedLength = length }
    let isTick =
      format?.isVideo == true && length == statedLength && length < lastLength / 4
      && length <= timescale / 100
    return length > 0 && !isTick ? length : lastLength
  }

  private mutating func note(_ sample: MovieSample, _ data: Span<UInt8>) {
    if presentation == nil {
      decode = sample.decode
      firstBytes = (0..<min(Self.beginning, data.count)).map { data[$0] }
    }
    newestDecode = sample.decode
    presentation = min(presentation ?? sample.presentation, sample.presentation)
    newest = max(newest ?? sample.presentation, sample.presentation)
    reach = max(reach, sample.decode &+ sample.duration)
  }

  private func units(_ time: Int64) -> Int { MovieTimeline.units(time &- decode, timescale) }

  /// The newest sample lasts until the next.
  private mutating func settleLast(until time: Int) {
    guard var sample = last else { return }
    let length = min(time - lastDecode, Int(UInt32.max))
    sample.duration = length
    if lastIsPending { pending[pending.count - 1].duration = length }
    if length > 0 { lastLength = length }
    table.append(sample)
    last = nil
  }

  /// Takes the next sample, which is in a file and gets to a place of a fragment; `false` where it
  /// comes late.
  mutating func append(_ sample: FileSample, of file: File, at place: Int) throws -> Bool {
    let stated = MovieSample(
      presentation: sample.presentation, decode: sample.decode, duration: sample.duration,
      isSync: sample.isSync)
    guard let known = inOrder(stated) else {
      lateCount += 1
      return false
    }
    let range = sample.offset..<sample.offset + sample.byteCount
    // What is said of a track is in its first sample.
    let count = isBegun ? 0 : min(Self.beginning, sample.byteCount)
    let head = try file.read(at: sample.offset, count: count)
    note(known, head.span)
    add(entry(of: known, size: sample.byteCount), at: units(known.decode))
    if let last = chunks.last, chunkEnd == place {
      chunks[chunks.count - 1].count = last.count + 1
    } else {
      chunks.append(MovieChunk(count: 1, offset: place))
    }
    chunkEnd = place + sample.byteCount
    lastCopied = (file, range)
    return true
  }

  /// Hands over all that is pending, whose fragment's bytes begin at an offset of the file.
  mutating func takeCopied(at offset: Int) {
    for chunk in chunks { table.beginChunk(at: offset + chunk.offset, samples: chunk.count) }
    chunks.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    lastIsPending = false
  }

  func writePending(_ count: Int, to file: any MovieDestination, at offset: Int) throws {
    try file.write(bytes.span.extracting(first: byteCount(of: count)), at: offset)
  }

  func addPending(_ count: Int, to sum: inout Checksum) {
    sum.add(bytes.span.extracting(first: byteCount(of: count)))
  }

  /// Hands over the first of what is pending, which is then at an offset of the file.
  mutating func takePending(_ count: Int, at offset: Int) {
    table.beginChunk(at: offset, samples: count, description: description)
    noteLast(of: count)
    if count == pending.count {
      pending.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
      lastIsPending = false
    } else {
      pendingStart += pending.prefix(count).reduce(0) { $0 + $1.duration }
      bytes.removeFirst(byteCount(of: count))
      pending.removeFirst(count)
    }
    for index in turns.indices { turns[index].count -= count }
    takeTurns()
  }

  private mutating func noteLast(of count: Int) {
    guard count > 0, lastCopied == nil else { return }
    let (size, end) = (pending[count - 1].size, byteCount(of: count))
    var sum = Checksum()
    sum.add(bytes.span.extracting(end - size..<end))
    lastWritten = (size, sum.value)
  }

  /// How many of the samples that are pending are decoded before a time and have one description.
  func pendingCount(before time: Int64) -> Int {
    var end = pendingStart
    let limit = time == .max ? Int.max : units(time)
    return pending.prefix(turns.first?.count ?? pending.count).prefix { sample in
      defer { end &+= sample.duration }
      return end < limit
    }.count
  }

  /// Bytes of the first samples that are pending.
  func byteCount(of count: Int) -> Int {
    count == pending.count ? bytes.count : pending.prefix(count).reduce(0) { $0 + $1.size }
  }

  /// How many bytes of the track are still to be written: samples that are pending, with what describes
  /// them in a fragment and in the last index.
  var finishByteCount: Int {
    bytes.count + 16 * pending.count + table.byteCount + 1_024 * (1 + laterFormats.count)
      + (options.label?.name?.utf8.count ?? 0)
  }

  /// The table of all samples, once no more come.
  mutating func finishTable() -> SampleTable {
    if let (file, range) = lastCopied {
      var sum = Checksum()
      if let bytes = try? file.read(at: range.lowerBound, count: range.count) {
        sum.add(bytes.span)
      }
      lastWritten = (range.count, sum.value)
    }
    if let last { settleLast(until: lastDecode + last.duration) }
    return table
  }

  /// What its edit list is made of.
  func timeline(end: Int?) -> MovieTimeline.Track? {
    // The frame that is presented last may be decoded before others: what it lasts in the table is the
    // time until the next is decoded.
    let end = end.map { endsOutOfOrder ? presentedEnd : max($0, presentedEnd) }
    guard let presentation, let format else { return nil }
    let (moved, skipped) = options.beginning(of: format, at: presentation, firstBytes)
    return MovieTimeline.Track(
      presentation: presentation &- moved, decode: decode &- moved, timescale: timescale,
      skipped: skipped, beginsMovie: format.isVideo || options.keepsStart && !format.isText,
      end: end,
      length: options.stop.map { MovieTimeline.units($0 &- presentation, timescale) }
        ?? options.length.map { Int($0.converted(to: Int32(clamping: timescale)).value) })
  }

  /// How much earlier its samples are presented in a stream, which skips nothing, in nanoseconds.
  var streamLead: Int64 {
    guard let presentation, let format else { return 0 }
    return options.streamLead(of: format, at: presentation, firstBytes)
  }
}
