import Containers
import GraphKit
import GraphKitSystem

/// How a movie is split, and which parts are kept.
struct MoviePartSettings: Sendable {
  var names: PartNames
  /// The length of a part, in nanoseconds, and its size; `nil` for any.
  var duration: Int64?
  var byteCount: Int?
  /// How many parts are kept, and how large they are together; `nil` for all.
  var keptCount: Int?
  var keptByteCount: Int?
  /// Whether the times of a part go on where those of the part before end.
  var keepsTimes = false
  /// Whether the movie's date was asked for, and so is that of each part.
  var isDated: Bool
  let log = PartLog()
}

/// The parts that a run has written.
final class PartLog: Sendable {
  private let state = Monitor((paths: [String](), isWhole: true))

  func add(_ path: String) { state.withLock { $0.paths.append(path) } }
  func noteDeletion(of path: String) {
    state.withLock { if $0.paths.contains(path) { $0.isWhole = false } }
  }

  /// The paths of all parts; `nil` where some were deleted.
  var wholeList: [String]? { state.withLock { $0.isWhole ? $0.paths : nil } }
}

/// Writes a movie in parts, each a whole movie that begins at its own zero, or at that of the first.
struct MovieParts: TrackWriter {
  private let tracks: [OutputTrack]
  private let file: WritableFile
  private let leader: Int
  private var settings: MovieWriter.Settings
  private var parts: MoviePartSettings
  /// The part that is being written, and where it is.
  private var movie: MovieTracks
  private var path: String
  private var splitter: PartSplitter
  private var texts = PartTexts()
  private var formats: [FormatDescription?]
  /// Whether the leader's next sample is of another format than the one before it; and what it is of in
  /// the parts that are about to begin.
  private var hasNewFormat = false
  private var nextFormats: [FormatDescription?] = []
  /// By how much each track is presented before its times, since its beginning is skipped: the first
  /// part says so in its edit list, and the others have other times.
  private var leads: [Int64?]
  private var isFirst = true
  private var tags: [[StreamTags]]
  private var hasEnded: [Bool]
  /// Why samples of each track aren't in the parts that are finished.
  private var lossReasons: [String?]
  /// When the newest sample of each track is decoded.
  private var decoded: [Int64]
  /// When the newest sample is presented, and the marks of the parts after this one.
  private var newest: Int64?
  private var laterMarks: [ChapterMark] = []
  /// When the part begins, in nanoseconds of the run, and how much was written of it.
  private var start: Int64?
  private var byteCount = 0
  /// Whether the next key frame begins a part, whenever it comes.
  private var isAsked = false
  /// The parts that may be deleted, the oldest first.
  private var finished: [(path: String, byteCount: Int)]

  init(
    _ tracks: [OutputTrack], first movie: MovieTracks, _ settings: MovieWriter.Settings,
    _ parts: MoviePartSettings, to file: WritableFile
  ) {
    (self.tracks, self.movie, self.settings, self.parts) = (tracks, movie, settings, parts)
    (self.file, path) = (file, parts.names.first)
    leader = tracks.firstIndex(where: \.isVideo) ?? 0
    splitter = PartSplitter(trackCount: tracks.count, leader: leader)
    formats = tracks.map { _ in nil }
    leads = tracks.map(\.lead?.nanoseconds)
    tags = tracks.map { _ in [] }
    hasEnded = tracks.map { _ in false }
    (decoded, lossReasons) = (tracks.map { _ in .min }, tracks.map { _ in nil })
    finished = parts.names.existing.map { ($0, Self.size(of: $0)) }
    parts.log.add(path)
  }

  private static func size(of path: String) -> Int { (try? File(path).size) ?? 0 }

  /// Another format of the video begins a part: a track of one has one.
  mutating func prepare(for format: FormatDescription, track: Int) throws {
    let old = formats[track]
    formats[track] = format
    guard let old, format.needsDescription(besides: old) else {
      return try movie.prepare(for: format, track: track)
    }
    guard track == leader, tracks[track].isVideo else {
      throw NodeError(
        "the format on \(tracks[track].port) changed from \(old) to \(format) while it ran, and only "
          + "that of the first video may",
        remedy: "decode it and encode it again, in one size and one sample rate")
    }
    hasNewFormat = true
  }

  mutating func note(_ new: StreamTags, track: Int) {
    tags[track].append(new)
    movie.note(new, track: track)
  }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    guard let known = MovieSample(sample, after: &decoded[track]) else { return }
    if formats[track]?.format.kind != .text {
      newest = max(newest ?? known.presentation, known.presentation)
    }
    var bytes: [UInt8] = []
    sample.withBytes { bytes.append(copying: $0) }
    let begins = track == leader && known.isSync && (hasNewFormat || isDue(known.presentation))
    if begins {
      (isAsked, hasNewFormat) = (false, false)
      nextFormats.append(formats[track])
    } else if track == leader, hasNewFormat {
      throw NodeError(
        "the format on \(tracks[track].port) changed, and no key frame followed",
        remedy: "decode it and encode it again")
    }
    if track == leader, start == nil || begins { start = known.presentation }
    let moved = known.moved(by: -lead(of: track, bytes))
    splitter.append(.init(sample: moved, bytes: bytes), to: track, beginsPart: begins)
    try advance()
    askForSize()
  }

  private mutating func lead(of track: Int, _ first: [UInt8]) -> Int64 {
    if let lead = leads[track] { return lead }
    let lead = tracks[track].leadLength(formats[track], first: first)
    leads[track] = lead
    return lead
  }

  /// Whether a part is to begin at a key frame.
  private func isDue(_ time: Int64) -> Bool {
    guard let start, time > start else { return false }
    guard !isAsked, let duration = parts.duration else { return isAsked }
    let grid = TimeGrid(duration)
    return grid.cell(of: start) < grid.cell(of: time)
  }

  /// Asks for a key frame where the part has all but what encoders hold of its size.
  private mutating func askForSize() {
    guard let most = parts.byteCount, !isAsked, !splitter.isSplitting else { return }
    let expected = min(2 * movie.bytesPerSecond + splitter.byteCount, most / 2)
    if byteCount + (movie.finishByteCount ?? 0) + expected >= most { _ = split() }
  }

  mutating func split() -> Bool {
    isAsked = true
    file.askForKeyFrame()
    return true
  }

  /// A mark is of the part that its moment is in: what was marked since the next part's first frame has
  /// to wait for that part.
  mutating func mark(_ title: String) throws -> MediaTime? {
    guard let time = newest else { throw NodeError.nothingToMark }
    return try mark(title, at: time)
  }

  mutating func mark(_ title: String, at time: MediaTime) throws -> MediaTime? {
    guard let time = time.nanoseconds else { throw NodeError.nothingToMark }
    return try mark(title, at: time)
  }

  private mutating func mark(_ title: String, at time: Int64) throws -> MediaTime? {
    guard let border = splitter.nextStart, time >= border else {
      return try movie.mark(title, at: time) as MediaTime
    }
    laterMarks.append(ChapterMark(time: time, title: title))
    return MediaTime(nanoseconds: time)
  }

  private mutating func advance() throws {
    while let step = splitter.next() {
      switch step {
      case .write(let held, let track):
        if formats[track]?.format.kind == .text {
          texts.add(held, to: track)
        } else {
          try append(held, to: track)
        }
      case .split(let time):
        for (text, track) in texts.cut(at: time) { try append(text, to: track) }
        try startNext(at: time)
      }
    }
    // A part that begins later is no matter of theirs.
    let end = splitter.isOver(leader) ? .max : min(splitter.reach, splitter.nextStart ?? .max)
    for (text, track) in texts.take(endingBy: end) { try append(text, to: track) }
    for track in tracks.indices
    where splitter.isOver(track) && texts.isEmpty(track) && !hasEnded[track] {
      hasEnded[track] = true
      try movie.end(track: track)
    }
  }

  private mutating func append(_ held: PartSplitter.Held, to track: Int) throws {
    byteCount += held.bytes.count
    let sample = isFirst ? held.sample.moved(by: leads[track] ?? 0) : held.sample
    try movie.append(sample, held.bytes.span, to: track)
  }

  /// Finishes the part, and begins another.
  private mutating func startNext(at time: Int64) throws {
    // Audio may have come, and been marked, before the frame of its time.
    laterMarks = movie.removeMarks(from: time) + laterMarks
    let size = try finishPart()
    let now = ProcessTime.secondsSince1970
    path = parts.names.next(at: now)
    try file.startNext(at: path)
    parts.log.add(path)
    deleteOldest(size)
    (byteCount, isFirst) = (0, false)
    if !parts.isDated { settings.creationTime = now }
    settings.start = parts.keepsTimes ? settings.start ?? movie.start : nil
    try beginMovie()
    takeMarks()
  }

  /// Completes the part that is written; returns how many bytes it has.
  private mutating func finishPart() throws -> Int {
    try movie.finish()
    try movie.check()
    for track in tracks.indices {
      lossReasons[track] = lossReasons[track] ?? movie.lossReason(track: track)
    }
    let size = Self.size(of: path)
    finished.append((path, size))
    return size
  }

  /// Begins the movie of a part, with all that is known of its tracks.
  private mutating func beginMovie() throws {
    let languages = movie.languageTags
    movie = MovieTracks(
      tracks.map(\.continued), settings: settings, listing: nil, to: file, path: path)
    movie.languageTags = languages
    let leading = nextFormats.isEmpty ? formats[leader] : nextFormats.removeFirst()
    for track in tracks.indices {
      for tags in tags[track] { movie.note(tags, track: track) }
      if let format = track == leader ? leading : formats[track] {
        try movie.prepare(for: format, track: track)
      }
      if hasEnded[track] { try movie.end(track: track) }
    }
  }

  /// Sets the marks that are of this part, as far as it has room for them.
  private mutating func takeMarks() {
    let border = splitter.nextStart ?? .max
    for mark in laterMarks where mark.time < border {
      _ = try? movie.mark(mark.title, at: mark.time)
    }
    laterMarks.removeAll { $0.time < border }
  }

  /// Deletes parts that are too many, with one that is being written and gets as large as the last.
  private mutating func deleteOldest(_ size: Int) {
    while let oldest = finished.first {
      let total = finished.reduce(size) { $0 + $1.byteCount }
      guard
        parts.keptCount.map({ finished.count >= $0 }) == true
          || parts.keptByteCount.map({ total > $0 }) == true
      else { return }
      File.remove(oldest.path)
      parts.log.noteDeletion(of: oldest.path)
      finished.removeFirst()
    }
  }

  mutating func end(track: Int) throws {
    splitter.end(track)
    try advance()
  }

  var finishByteCount: Int? {
    movie.finishByteCount.map { $0 + splitter.byteCount + texts.byteCount }
  }
  var bytesPerSecond: Int { movie.bytesPerSecond }

  mutating func finish() throws {
    for track in tracks.indices { splitter.end(track) }
    try advance()
    takeMarks()
    try movie.finish()
  }

  func check() throws { try movie.check() }

  func lossReason(track: Int) -> String? {
    lossReasons[track] ?? movie.lossReason(track: track)
  }

  mutating func giveUp() { movie.giveUp() }
}

extension MovieSample {
  /// The sample at another time.
  fileprivate func moved(by nanoseconds: Int64) -> MovieSample {
    var sample = self
    sample.presentation &+= nanoseconds
    sample.decode &+= nanoseconds
    return sample
  }
}

extension OutputTrack {
  /// By how much the track is presented before its times, in nanoseconds, since what its encoder begins
  /// with is skipped.
  func leadLength(_ format: FormatDescription?, first: [UInt8]) -> Int64 {
    if let lead = lead?.nanoseconds { return lead }
    guard !hasPresentationTimes else { return 0 }
    let known = format.flatMap { MovieTrackFormat($0, lead: nil) }
    return known?.primingLength(priming, first: first) ?? 0
  }

  /// The same track where its file begins later than its stream: nothing comes before what is presented.
  var continued: OutputTrack {
    var track = self
    (track.lead, track.start, track.length, track.priming) = (nil, .zero, nil, 0)
    return track
  }
}

extension FormatDescription {
  /// Whether its samples can't be in one track with those of another: they need something else to be
  /// decoded, or have another size.
  fileprivate func needsDescription(besides other: FormatDescription) -> Bool {
    guard let own = MovieTrackFormat(self, lead: nil),
      let known = MovieTrackFormat(other, lead: nil)
    else { return capsText != other.capsText }
    return own.needsDescription(besides: known)
  }
}
