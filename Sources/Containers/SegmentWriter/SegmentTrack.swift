import Media
import GraphKitSystem

/// A track of a stream in segments (CMAF, ISO/IEC 23000-19): encoded samples in, whole segments out.
///
/// A segment begins with the first key frame since one of the grid's times, whatever other tracks do,
/// so that tracks which have key frames there are cut at the same times, and none waits for another.
/// There is no edit list.
///
/// By itself a track follows the brand `cmf2`: its times of decoding are moved so that a segment's first
/// sample is presented when it is decoded. In a stream of several it keeps them, since ffmpeg shows it
/// late otherwise, by as much as frames come in another order than they are shown; and what an encoder
/// puts before its first sample, or the file of a copy skips, comes as much earlier.
package struct SegmentTrack: Sendable {
  /// What can be played with the track's header alone.
  package struct Segment: Sendable {
    /// When its first sample is presented, in nanoseconds of the run.
    package var start: Int64
    /// How long it lasts, in nanoseconds.
    package var duration: Int64
    /// When it is presented, and how long, in the track's units since its beginning.
    fileprivate var place = 0..<0
    fileprivate var fragments: [Fragment]
  }

  /// Samples that follow one another without a gap.
  fileprivate struct Fragment: Sendable {
    /// When the first is decoded, in the track's units since its first sample.
    var start: Int
    var samples: [MovieFragment.Sample] = []
    var bytes: [UInt8] = []
  }

  package private(set) var format: MovieTrackFormat?
  package private(set) var isEnded = false
  /// When the first sample of all is presented, in nanoseconds; `nil` before it has come.
  package private(set) var start: Int64?
  private let options: MovieTrackOptions
  private let grid: TimeGrid
  private let isByItself: Bool
  /// How much earlier samples are than they say, in nanoseconds.
  private var lead: Int64 = 0
  /// What its times count from, in nanoseconds; `nil` before its first sample has come.
  package private(set) var origin: Int64?
  private var firstDecode: Int64 = 0
  private var firstBytes: [UInt8] = []
  private var finished: [Segment] = []
  private var open: Segment?
  /// When what has come of the open segment ends, in nanoseconds.
  private var reach: Int64 = .min
  private var lastDecode = 0
  private var lastLength = 0
  private var fragmentCount = 0

  /// A track whose segments begin at the times of a grid.
  package init(_ grid: TimeGrid, _ options: MovieTrackOptions, isByItself: Bool) {
    (self.grid, self.options, self.isByItself) = (grid, options, isByItself)
  }

  /// Units a second of the track's times.
  package var timescale: Int { format?.timescale ?? 1 }
  /// How many segments are there to be taken.
  package var finishedCount: Int { finished.count }

  /// How many bytes take at most what isn't taken yet.
  package var pendingByteCount: Int {
    (finished + [open].compactMap(\.self)).flatMap(\.fragments).reduce(0) {
      $0 + $1.bytes.count + 16 * $1.samples.count + 256
    }
  }

  /// Says what the samples are, before the first; what is said later is of no effect.
  package mutating func begin(_ format: MovieTrackFormat) { self.format = self.format ?? format }

  /// Says which language the track is in.
  package mutating func setLanguage(_ language: String) { format?.language = language }

  /// Takes the next sample in the order of decoding.
  package mutating func append(_ sample: MovieSample, _ data: Span<UInt8>) {
    if start == nil { noteFirst(sample, data) }
    let sample = sample.moved(by: -lead)
    let first = origin ?? sample.decode
    // No sample is decoded before the one that came before it.
    let decode = max(units(sample.decode &- firstDecode), lastDecode)
    let hasGap = endLast(at: decode)
    if sample.isSync, let start = open?.start,
      grid.cell(of: start &+ lead) < grid.cell(of: sample.presentation &+ lead)
    {
      close(before: sample.presentation)
    }
    let length = units(sample.duration)
    if open == nil { open = Segment(start: sample.presentation, duration: 0, fragments: []) }
    if hasGap || open?.fragments.isEmpty == true {
      open?.fragments.append(Fragment(start: decode))
    }
    add(
      MovieFragment.Sample(
        duration: length > 0 ? length : lastLength, size: data.count,
        flags: sample.isSync ? MovieFragment.Sample.syncFlags : MovieFragment.Sample.deltaFlags,
        offset: units(sample.presentation &- first) - decode), data)
    reach = max(reach, sample.presentation &+ sample.duration)
    lastDecode = decode
  }

  private mutating func noteFirst(_ sample: MovieSample, _ data: Span<UInt8>) {
    firstBytes = (0..<min(1 << 14, data.count)).map { data[$0] }
    if !isByItself, let format {
      lead = options.streamLead(of: format, at: sample.presentation, firstBytes)
    }
    let sample = sample.moved(by: -lead)
    (start, firstDecode) = (sample.presentation, sample.decode)
    origin = isByItself ? sample.presentation : sample.decode
  }

  private mutating func add(_ sample: MovieFragment.Sample, _ data: Span<UInt8>) {
    guard let last = open?.fragments.indices.last else { return }
    open?.fragments[last].samples.append(sample)
    open?.fragments[last].bytes.append(copying: data)
  }

  /// The newest sample lasts until the next, unless nothing came for longer than a segment: the
  /// track then has a gap.
  private mutating func endLast(at decode: Int) -> Bool {
    guard let last = open?.fragments.indices.last,
      let sample = open?.fragments[last].samples.indices.last,
      let own = open?.fragments[last].samples[sample].duration
    else { return false }
    let length = decode - lastDecode
    if length > own &+ units(grid.interval) { return true }
    if length > 0 { lastLength = length }
    open?.fragments[last].samples[sample].duration = min(length, Int(UInt32.max))
    return false
  }

  private func units(_ time: Int64) -> Int { MovieTimeline.units(time, timescale) }

  private mutating func close(before next: Int64?) {
    guard var segment = open else { return }
    let hasGap = next.map { $0 &- reach > grid.interval } ?? true
    let end = max(segment.start, hasGap ? reach : next ?? reach)
    segment.duration = end &- segment.start
    let beginning = origin ?? segment.start
    let first = units(segment.start &- beginning)
    // Times that wrap may be in another order.
    segment.place = first..<max(first, units(end &- beginning))
    finished.append(segment)
    (open, reach) = (nil, .min)
  }

  /// Says that no sample follows.
  package mutating func end() {
    isEnded = true
    close(before: nil)
  }

  /// Hands over the segments that are complete.
  package mutating func takeSegments() -> [Segment] {
    defer { finished = [] }
    return finished
  }
}

// MARK: Bytes

extension SegmentTrack {
  /// What every segment needs before it, a CMAF header (ISO/IEC 23000-19, 7.3.1); `nil` before the
  /// first sample has come. Its brands say that fragments hold what is usual for their samples
  /// themselves, and that the first is presented when it is decoded (7.7), where it is.
  package func header(creationTime: Int?, tags: MovieTags = MovieTags()) -> [UInt8]? {
    guard let format, start != nil else { return nil }
    var writer = BoxWriter()
    writer.box("ftyp") { writer in
      let brands = (start == origin ? ["cmf2", "cmfc"] : []) + ["iso6", "iso9", "dash"]
      writer.write(brands[0])
      writer.write(0, bytes: 4)
      for brand in brands { writer.write(brand) }
    }
    let track = MovieHeader.Track(
      identifier: 1, format: format, rotation: options.rotation, label: options.label, edits: [],
      firstBytes: firstBytes)
    writer.write(
      MovieHeader(
        tracks: [track], timescale: timescale, isFragmented: true, isQuickTime: false,
        creationTime: MovieHeader.time(creationTime), tags: tags
      ).bytes)
    return writer.bytes
  }

  /// When a segment is presented in a stream that begins at `beginning`, in the track's units.
  package func time(of segment: Segment, from beginning: Int64) -> Int {
    max(0, shift(beginning) + segment.place.lowerBound)
  }

  /// How long a segment is presented, in the track's units: until the next, or a gap before that.
  package func length(of segment: Segment) -> Int { segment.place.count }

  private func shift(_ beginning: Int64) -> Int { units((origin ?? beginning) &- beginning) }

  /// A segment's bytes, in a stream that begins at `beginning`.
  package mutating func bytes(of segment: Segment, from beginning: Int64) -> [UInt8] {
    var writer = BoxWriter()
    writer.reserve(segment.fragments.reduce(4_096) { $0 + $1.bytes.count + 16 * $1.samples.count })
    writer.write(SegmentType.bytes(isTrack: true))
    for fragment in segment.fragments {
      fragmentCount += 1
      let run = MovieFragmentBox.Run(
        track: 1, start: max(0, shift(beginning) + fragment.start), samples: fragment.samples,
        byteCount: fragment.bytes.count)
      writer.write(MovieFragmentBox.bytes(number: fragmentCount, flushedCount: nil, [run]))
      writer.write(fragment.bytes)
    }
    return writer.bytes
  }

  /// The codec as playlists and manifests name it; `nil` before the first sample has come.
  package var codecName: String? { start == nil ? nil : format?.codecName }
}
