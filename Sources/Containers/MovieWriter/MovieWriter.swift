import Media
import GraphKitSystem

/// Writes a movie (ISO/IEC 14496-12; QuickTime File Format): encoded samples with their times in,
/// bytes at offsets out.
///
/// While it records, the file is `ftyp`, an empty box, `moov` and fragments: whatever ends the
/// process, all but the last of them can be played. A fragment's samples are written before the box
/// that describes them, behind a gap as long as that box, which is then filled: a file that is cut
/// off at any byte ends in bytes that players pass over. The empty box holds another `ftyp`, so that
/// it and what follows, up to the first fragment, can be taken for the head of a stream.
///
/// At the end the index of all samples is written after the fragments, where no player looks for it
/// as long as there is one in front; then one write of 16 bytes makes all between the first `ftyp`
/// and the new index the inside of one `mdat` box. At every moment the file is a movie of one kind or
/// the other.
///
/// Samples of the tracks may come in any order among each other; those of one track in the order of
/// decoding. Not safe to use from several threads at once.
package struct MovieWriter {
  package var settings: Settings
  var file: any MovieDestination
  var tracks: [MovieTrackWriter]
  /// Where the next fragment goes.
  var end = 0
  /// Where the box that becomes `mdat` begins; `nil` before anything is written.
  private(set) var bodyStart: Int?
  /// How long the empty box is in whose place the last index goes, in front of the samples; 0 for
  /// none: then the index goes after them.
  var indexRoom = 0
  /// The index in front of the fragments; `nil` where there is none.
  private var front: MovieFront?
  /// The tracks that the index in front describes, which alone the fragments may hold.
  private(set) var described: Set<Int> = []
  /// Those of them that had no sample when it was written: their times count from the beginning of
  /// the movie, which is this.
  private(set) var late: Set<Int> = []
  private(set) var session: Int64 = 0
  var fragmentCount = 0
  package var segments = MovieSegments()
  /// The moments that were marked.
  var marks = ChapterMarks()
  /// When the finished movie begins, in nanoseconds.
  package internal(set) var start: Int64?
  /// What the finished movie holds.
  package internal(set) var receipt = MovieReceipt()

  /// A movie with tracks, numbered from 1 in their order.
  package init(_ tracks: [MovieTrackOptions], settings: Settings, to file: any MovieDestination) {
    self.file = file
    self.settings = settings
    self.tracks = tracks.enumerated().map {
      MovieTrackWriter(identifier: $0.offset + 1, options: $0.element)
    }
  }

  /// Says what the samples of a track are, before the first of them; what is said later of the same
  /// track is of no effect.
  package mutating func begin(_ track: Int, _ format: MovieTrackFormat) {
    tracks[track].begin(format)
  }

  /// Says that the samples of a track which follow are something else, which a track's samples
  /// may become (``MovieTrackFormat/mayBecome(_:)``). Not in segments, whose players know the first
  /// index alone.
  package mutating func change(_ track: Int, to format: MovieTrackFormat) {
    tracks[track].change(to: format)
  }

  /// Says which language a track is in, by its three letters, unless its format says that.
  package mutating func speak(_ language: String, in track: Int) {
    tracks[track].setLanguage(language)
  }

  /// Takes a track's next sample. Throws where the file can't be written.
  package mutating func append(_ sample: MovieSample, _ bytes: Span<UInt8>, to track: Int) throws {
    guard tracks[track].append(sample, bytes) else { return }
    if sample.isSync { noteKeyFrame(sample, of: track) }
    try writeWhatIsDue()
  }

  /// Writes fragments as far as samples are there for them, and ends segments.
  mutating func writeWhatIsDue() throws {
    while isSegmentComplete {
      try writeFragment()
      segments.end(at: end)
    }
    while let border = dueBorder {
      guard try writeFragment(before: border) else { return }
    }
  }

  /// How many samples of a track were left out, since they are decoded before one that had come.
  package func lateCount(of track: Int) -> Int { tracks[track].lateCount }

  /// Says that a track gets no more samples.
  package mutating func end(_ track: Int) throws {
    tracks[track].end()
    try writeWhatIsDue()
  }
}

// MARK: Fragments

extension MovieWriter {
  /// How far tracks may be apart before the file begins without those that have no sample yet.
  private static let patience: Int64 = 5_000_000_000
  /// Bytes that are held at most, once the file has begun.
  private static let mostBytes = 32 << 20

  /// Whether others wait for a track. They don't for text, unless there is nothing else.
  func leads(_ track: MovieTrackWriter) -> Bool {
    !track.isSparse || tracks.allSatisfy(\.isSparse)
  }

  /// Up to where a fragment is to be written: every track has got as far as one is long, or one has
  /// twice as much and the others are late; `nil` where none is due. A fragment of what isn't live
  /// ends where it is long enough, however far the tracks have got by then: equal samples give equal
  /// files.
  private var dueBorder: Int64? {
    let pending = tracks.lazy.filter { $0.hasPending && leads($0) }
    guard let start = pending.map(\.pendingTime).min() else { return nil }
    let length = settings.isFragmented ? settings.fragmentDuration : 500_000_000
    let most = pending.map { $0.reach &- $0.pendingTime }.max() ?? 0
    let open = tracks.lazy.filter { !$0.isEnded && leads($0) }
    let byteCount = pending.reduce(0) { $0 + $1.bytes.count }
    if bodyStart == nil, !open.allSatisfy(\.isBegun) {
      let isOverdue = most >= Self.patience || byteCount > 4 * Self.mostBytes
      return isOverdue ? .max : nil
    }
    // A segment's samples stay together as long as the tracks aren't far apart.
    let waits = settings.segmentDuration != nil || settings.interleavesByTime
    if most >= 2 * length + (waits ? Self.patience : 0) || byteCount > Self.mostBytes {
      return .max
    }
    guard open.allSatisfy({ $0.reach >= start &+ length }) else { return nil }
    return settings.interleavesByTime ? start &+ length : .max
  }

  /// How far all tracks have got that others wait for.
  private var leastReach: Int64 {
    tracks.lazy.filter { !$0.isEnded && leads($0) }.map(\.reach).min() ?? .max
  }

  /// Writes what is pending in the segment, of what is decoded before a time; whether there was anything.
  @discardableResult
  mutating func writeFragment(before time: Int64 = .max) throws -> Bool {
    if bodyStart == nil { try writeStart() }
    // Text that came early is written with what it is shown with.
    let reach = leastReach
    let counts = tracks.indices.map { index in
      let time = min(time, segmentEnd(of: index))
      return tracks[index].pendingCount(before: tracks[index].isSparse ? min(time, reach) : time)
    }
    let indices = tracks.indices.filter { counts[$0] > 0 }
    try describe(indices)
    let listed = indices.filter(isDescribed)
    try writeUnlisted(indices.filter { !isDescribed($0) }, counts)
    guard !listed.isEmpty else { return !indices.isEmpty }
    fragmentCount += 1
    let runs = listed.map(run(counts))
    if settings.segmentDuration != nil { noteSegmentRuns(runs) }
    let flushed = file.flushedCount
    var box = MovieFragmentBox.bytes(
      number: fragmentCount, flushedCount: flushed, marks: marks.takeUnwritten(from: session), runs)
    let start = end
    if flushed != nil { seal(&box, listed, counts) }
    try writeSamples(of: listed, counts, at: start + box.count)
    try writeWhole(box, at: start)
    return true
  }

  /// Has the index in front say what samples are that are to be written, as far as it has room.
  private mutating func describe(_ indices: [Int]) throws {
    for index in indices where described.contains(index) && !isDescribed(index) {
      let formats = tracks[index].laterFormats.prefix(tracks[index].description - 1)
      guard var longer = front, longer.describe(index + 1, later: Array(formats)) else { continue }
      try file.write(longer.bytes.span.extracting(droppingFirst: 8), at: longer.offset + 8)
      front = longer
    }
  }

  /// Whether the index in front says what the samples of a track are that are written next.
  private func isDescribed(_ index: Int) -> Bool {
    let known = front?.descriptionCount(of: tracks[index].identifier) ?? 0
    return described.contains(index) && tracks[index].description <= known
  }

  /// The samples of a track's run, by how many of each track a fragment holds.
  private func run(_ counts: [Int]) -> (Int) -> MovieFragmentBox.Run {
    { index in
      let count = counts[index]
      let track = tracks[index]
      guard isSegmented else {
        return track.run(count, from: late.contains(index) ? session : nil)
      }
      return tracks.count == 1
        ? track.presentedRun(count, from: session)
        : track.run(count, from: session &+ track.streamLead)
    }
  }

  private func seal(_ box: inout [UInt8], _ indices: [Int], _ counts: [Int]) {
    var sum = Checksum()
    sum.add(box.span)
    for index in indices { tracks[index].addPending(counts[index], to: &sum) }
    FragmentSeal.close(&box, with: sum)
  }

  /// Writes samples of tracks that aren't in the index in front. They can't be in fragments, but are in
  /// the last index; a box around them has players pass over them until then.
  private mutating func writeUnlisted(_ indices: [Int], _ counts: [Int]) throws {
    guard !indices.isEmpty else { return }
    let start = end
    guard settings.isFragmented else { return try writeSamples(of: indices, counts, at: start) }
    try writeSamples(of: indices, counts, at: start + 8)
    var header = BoxWriter()
    header.write(end - start, bytes: 4)
    header.write("mdat")
    try file.write(header.bytes.span, at: start)
  }

  /// Writes a box so that it is there as a whole or not at all: its header last, without which players
  /// see zeros, and pass over all that follows.
  func writeWhole(_ box: [UInt8], at offset: Int) throws {
    try file.write(box.span.extracting(droppingFirst: 8), at: offset + 8)
    try file.write(box.span.extracting(first: 8), at: offset)
  }

  /// Writes bytes after all that there is; returns where.
  mutating func writeLast(_ bytes: [UInt8]) throws -> Int {
    try file.write(bytes.span, at: end)
    defer { end += bytes.count }
    return end
  }

  private mutating func writeSamples(of indices: [Int], _ counts: [Int], at offset: Int) throws {
    var offset = offset
    for index in indices {
      try tracks[index].writePending(counts[index], to: file, at: offset)
      let size = tracks[index].byteCount(of: counts[index])
      tracks[index].takePending(counts[index], at: offset)
      offset += size
    }
    end = max(end, offset)
  }

  /// Writes what comes before the first samples.
  mutating func writeStart() throws {
    var writer = BoxWriter()
    writeType(to: &writer)
    let body = writer.bytes.count
    writer.box("free") { writer in
      if indexRoom > 0 {
        writer.writeZeros(indexRoom - 8)
      } else if settings.isFragmented {
        // Room for the header of a box with a size of eight bytes.
        writer.writeZeros(8)
        writeType(to: &writer)
      }
    }
    beginBody(&writer)
    let bytes = writer.bytes
    try file.write(bytes.span, at: 0)
    bodyStart = body
    end = bytes.count
    segments.begin(head: body + 16..<end)
  }

  /// Writes what comes right before the samples: the index of a movie in fragments, or else the header
  /// of the box that they are in.
  private mutating func beginBody(_ writer: inout BoxWriter) {
    guard settings.isFragmented else {
      // Samples as far as the file goes. With the box before, this is room for the same header.
      writer.write(0, bytes: 4)
      return writer.write("mdat")
    }
    // Of what is copied with room for its last index, all is known.
    let front = MovieFront(
      startIndex(), at: writer.bytes.count,
      hasRoom: !isSegmented && indexRoom == 0)
    writer.write(front.bytes)
    self.front = front
  }

  private func writeType(to writer: inout BoxWriter) {
    writer.box("ftyp") { writer in
      writer.write(settings.brand)
      writer.write(0x200, bytes: 4)
      for brand in settings.compatibleBrands(tracks.compactMap(\.format)) { writer.write(brand) }
    }
  }
}

extension MovieTrackWriter {
  /// When the first sample that is pending is decoded, in nanoseconds.
  var pendingTime: Int64 {
    decode &+ Int64(MovieTimeline.scaled(pendingStart, timescale, 1_000_000_000))
  }

  /// The samples that are pending, with times that count from the track's first, or from a time.
  func run(_ count: Int, from session: Int64?) -> MovieFragmentBox.Run {
    let shift = session.map { MovieTimeline.units(decode &- $0, timescale) } ?? 0
    return MovieFragmentBox.Run(
      track: identifier, start: max(0, pendingStart &+ shift),
      samples: count == pending.count ? pending : Array(pending.prefix(count)),
      byteCount: byteCount(of: count), description: description)
  }

  /// The same of a track by itself for players that read no edit list: times of decoding are moved so
  /// that the track's first sample is presented when it is decoded.
  func presentedRun(_ count: Int, from session: Int64) -> MovieFragmentBox.Run {
    var run = run(count, from: nil)
    let first = presentation ?? decode
    let lead = MovieTimeline.units(first &- decode, timescale)
    run.start = max(0, pendingStart &+ MovieTimeline.units(first &- session, timescale))
    for index in run.samples.indices { run.samples[index].offset -= lead }
    return run
  }
}

// MARK: Indices

extension MovieWriter {
  /// Units a second of the movie's times.
  var timescale: Int {
    if settings.timescale > 0 { return settings.timescale }
    let formats = tracks.compactMap { $0.isBegun ? $0.format : nil }
    let audio = formats.filter(\.isAudio).map(\.timescale).max()
    return audio ?? formats.map(\.timescale).max() ?? 1_000
  }

  /// Whether the fragments are those of segments.
  private var isSegmented: Bool { settings.segmentDuration != nil }

  func header(_ tracks: [MovieHeader.Track], isFragmented: Bool) -> MovieHeader {
    MovieHeader(
      tracks: tracks, timescale: timescale, isFragmented: isFragmented,
      isQuickTime: settings.isQuickTime,
      creationTime: MovieHeader.time(settings.creationTime), tags: settings.tags,
      chapters: settings.chapters)
  }

  /// The index in front of the fragments, with the tracks whose format is known. When those begin
  /// that have no sample yet isn't: their times then count from the movie's beginning.
  private mutating func startIndex() -> MovieHeader {
    let begun = tracks.compactMap { $0.timeline(end: nil) }
    let timeline = MovieTimeline(begun, timescale: timescale, start: settings.start)
    var written: [MovieHeader.Track] = []
    session = timeline.session
    // Players of segments pass over edit lists: there the times themselves say what is together. The
    // stream of several tracks begins when the first sample is decoded, since ffmpeg shows a track late
    // whose samples are decoded after they are presented.
    if isSegmented {
      let started = tracks.filter(\.isBegun)
      session =
        tracks.count == 1
        ? started.compactMap(\.presentation).min() ?? 0
        : started.map { $0.decode &- $0.streamLead }.min() ?? 0
    }
    for (index, track) in tracks.enumerated() {
      let known = isSegmented ? nil : track.timeline(end: nil)
      guard let format = track.format, track.isBegun || !format.needsFirstSample else { continue }
      described.insert(index)
      if known == nil { late.insert(index) }
      written.append(
        MovieHeader.Track(
          identifier: track.identifier, format: format, rotation: track.options.rotation,
          alternative: settings.alternatives[index], label: track.options.label,
          edits: known.map(timeline.edits) ?? [], firstBytes: track.firstBytes))
    }
    return header(written, isFragmented: true)
  }
}
