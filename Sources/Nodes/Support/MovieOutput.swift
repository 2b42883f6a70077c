import Containers
import GraphKit
import GraphKitSystem

/// A movie, and the writer that it has for a run.
struct MovieOutput: FileOutput {
  let place: OutputFile
  var file: OutputFile? { place }
  /// What is said of the movie as a whole.
  var settings = MovieWriter.Settings()
  /// How players rotate the frames of all tracks; `nil` for each as it came.
  var rotation: Rotation?
  /// The languages of tracks, by their ports.
  var languages: [String: LanguageTag] = [:]
  /// Which tracks exclude each other.
  var alternatives: [AlternateTracks] = []
  /// Whether the index goes in front of the samples.
  var optimizesForNetworkUse = false
  /// Whether it is a track by itself, a CMAF track file.
  var isTrack = false
  /// How the movie is split; `nil` for one that is a single file.
  var parts: MoviePartSettings?
  /// What is recorded of what comes.
  var recording = RecordingSettings()
  /// How long a fragment is where samples are copied from a file: a copy that is cut off can be made
  /// again.
  var copiedDuration: Int64 = 10_000_000_000

  init(file: OutputFile) { place = file }

  var tracks: TrackRules? {
    var rules = TrackRules(fileName: "movie")
    let interval = settings.segmentDuration ?? parts?.duration
    rules.keyFrameInterval = interval.map { MediaTime(nanoseconds: $0) }
    rules.asksForKeyFrames = parts != nil
    // Another format of video begins another part, or is described beside the first. Players of segments
    // know one, and what is held for a recording has one.
    rules.haveOneFormat =
      isTrack || settings.segmentDuration != nil || !recording.isRecording || recording.preRoll > 0
    rules.gatheredCodecs = [.eac3]
    rules.haveKnownStart = settings.start != nil
    return rules
  }

  /// Segments begin at key frames, and parts end where they are full: both look at each sample.
  var pieceDuration: Int64? {
    settings.segmentDuration == nil && parts == nil && recording.isRecording
      ? copiedDuration : nil
  }

  func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] {
    switch format.codecs {
    case [.opus]: [.timedOpusPackets]
    case [.flac]: [.flacFrames]
    default: []
    }
  }

  func trackCaps(for format: FormatConstraint) -> String {
    format.codecs.first.map(\.movieCaps) ?? format.capsText
  }

  func makeWriter(_ tracks: [OutputTrack], to file: WritableFile) -> (any TrackWriter)? {
    // What a stream begins with may never be recorded.
    let recorded = recording.isRecording ? tracks : tracks.map(\.continued)
    return RecordingGate(writer(recorded, to: file), tracks, recording)
  }

  private func writer(_ tracks: [OutputTrack], to file: WritableFile) -> any TrackWriter {
    if isTrack, let track = tracks.first {
      return TrackFile(track, settings, language: languages[track.port], to: file)
    }
    var settings = settings
    settings.alternatives = alternatives.numbered(among: tracks)
    settings.interleavesByTime = !tracks.contains(where: \.isLive)
    if let range = tracks.lazy.compactMap(\.range).first {
      settings.start = range.start.nanoseconds
    }
    let playlist = settings.segmentDuration.map {
      Playlist(of: place.path, segmentDuration: $0)
    }
    var writer = MovieTracks(
      tracks, settings: settings, listing: playlist, to: file, path: place.path)
    writer.languageTags = tracks.map { languages[$0.port] }
    return parts.map { MovieParts(tracks, first: writer, settings, $0, to: file) } ?? writer
  }

  func finish(_ tracks: [OutputTrack]) throws(NodeError) {
    guard optimizesForNetworkUse else { return }
    // What isn't recorded can be made again.
    try MovieFile.moveIndexToFront(of: place.path, flushed: tracks.contains(where: \.isLive))
  }

  func writtenTracks() -> [Int: WrittenTrack]? {
    guard let parts else { return Self.tracks(of: place.path) }
    // Parts that were deleted can't be looked into.
    guard let paths = parts.log.wholeList else { return nil }
    var sum: [Int: WrittenTrack] = [:]
    for path in paths {
      guard let tracks = Self.tracks(of: path, isPart: true) else { return nil }
      sum.merge(tracks) { first, second in
        WrittenTrack(
          sampleCount: first.sampleCount + second.sampleCount,
          duration: first.duration + second.duration)
      }
    }
    return sum
  }

  private static func tracks(of path: String, isPart: Bool = false) -> [Int: WrittenTrack]? {
    guard let movie = try? MovieReader.read(path) else { return nil }
    let tracks = movie.tracks.map { track in
      // The last frames' times of decoding may be seconds before those at which they are presented. Between
      // the last text of a part and the next part none is shown.
      let length =
        isPart && track.kind == .text
        ? movie.duration : max(track.mediaDuration, track.duration)
      return (track.identifier, WrittenTrack(sampleCount: track.sampleCount, duration: length))
    }
    return Dictionary(tracks, uniquingKeysWith: { first, _ in first })
  }
}

extension WritableFile: MovieDestination {}

/// Hands a run's samples to the writer of a movie.
struct MovieTracks: TrackWriter {
  private var movie: MovieWriter
  private var languages: [String?]
  private var formats: [MovieTrackFormat?]
  private var areMarkup: [Bool]
  /// Texts that are still to be shown beside others, by tracks.
  private var overlaps: [Int: TextOverlaps] = [:]
  /// The languages that the graph says tracks have.
  var languageTags: [LanguageTag?] = []
  private let leads: [MediaTime?]
  /// What their files call the tracks.
  private let names: [String?]
  private let ports: [String]
  private let path: String
  /// When the newest sample of each track is decoded, in nanoseconds.
  private var decoded: [Int64]
  /// What is reported of the movie's segments.
  private var listing: (any SegmentListing)?

  init(
    _ tracks: [OutputTrack], settings: MovieWriter.Settings, listing: (any SegmentListing)?,
    to file: any MovieDestination, path: String
  ) {
    self.path = path
    decoded = tracks.map { _ in .min }
    self.listing = listing
    var settings = settings
    if settings.chapters.isEmpty {
      settings.chapters = tracks.first { !$0.chapters.isEmpty }?.chapters ?? []
    }
    if settings.tags.texts["location"] == nil {
      settings.tags.texts["location"] = tracks.lazy.compactMap(\.location).first
    }
    movie = MovieWriter(tracks.map(MovieTrackOptions.init), settings: settings, to: file)
    (languages, formats) = (tracks.map { _ in nil }, tracks.map { _ in nil })
    areMarkup = tracks.map { _ in false }
    (leads, ports) = (tracks.map(\.lead), tracks.map(\.port))
    names = tracks.map { $0.label?.name }
  }

  mutating func prepare(for format: FormatDescription, track: Int) throws {
    guard var described = MovieTrackFormat(format, lead: leads[track]) else {
      throw NodeError(
        "a movie can't hold \(format), or its caps lack the codec's configuration",
        remedy: "decode it and encode it again")
    }
    let tag = languageTags.indices.contains(track) ? languageTags[track] : nil
    described.language = tag?.threeLetters ?? languages[track]
    described.languageTag = tag.flatMap { $0.saysMore ? $0.text : nil }
    if let known = formats[track] { return try change(track, from: known, to: described) }
    formats[track] = described
    areMarkup[track] = format.capsText.contains("pango-markup")
    movie.begin(track, described)
  }

  /// What a track of video becomes on the way is described beside what it was.
  private mutating func change(
    _ track: Int, from known: MovieTrackFormat, to new: MovieTrackFormat
  ) throws {
    guard new.needsDescription(besides: known) else { return }
    guard known.mayBecome(new) else {
      throw NodeError(
        "the format on \(ports[track]) changed while it ran, from \(known.words) to \(new.words), and "
          + "only video may change, within its codec",
        remedy: "decode it and encode it again, in one size and one sample rate")
    }
    formats[track] = new
    movie.change(track, to: new)
  }

  /// A title that was asked for stays; of what several streams say, the first counts.
  mutating func note(_ tags: StreamTags, track: Int) {
    if movie.settings.tags.pictures.isEmpty {
      movie.settings.tags.pictures = tags.pictures.covers()
    }
    for (name, text) in tags.texts where movie.settings.tags.texts[name] == nil {
      // GStreamer's readers give the name of a track as a title.
      if name == "title", text == names[track], !tags.areOfFile { continue }
      movie.settings.tags.texts[name] = text
    }
    if let language = tags.texts["language-code"] {
      languages[track] = language
      let isKnown = languageTags.indices.contains(track) && languageTags[track] != nil
      if !isKnown { movie.speak(language, in: track) }
    }
  }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    guard let known = MovieSample(sample, after: &decoded[track]) else { return }
    try sample.withBytes { try append(known, $0, to: track) }
  }

  mutating func prepare(toCopy pieces: any PieceReader, duration: Int64) throws {
    var pieces = pieces
    try movie.reserveIndex {
      try pieces.next(duration: duration).map { ($0.samples, $0.file.file) }
    }
  }

  mutating func copy(_ piece: FilePiece) throws {
    do { try movie.copy(piece.samples, of: piece.file.file) } catch let failure as File.Failure {
      throw piece.file.error(failure)
    }
  }

  mutating func append(_ sample: MovieSample, _ bytes: Span<UInt8>, to track: Int) throws {
    if formats[track]?.content == .text {
      let words = bytes.indices.map { bytes[$0] }
      let text = SubtitleText.shown(
        String(decoding: words, as: UTF8.self), isMarkup: areMarkup[track])
      let new = ShownText(start: sample.presentation, duration: sample.duration, text: text)
      try show(overlaps[track, default: TextOverlaps()].add(new), in: track)
    } else {
      let skipped = formats[track]?.codec == .av1 ? AV1Configuration.delimiterSize(bytes) : 0
      try movie.append(sample, bytes.extracting(droppingFirst: skipped), to: track)
    }
    try listing?.update(&movie.segments, isComplete: false)
  }

  private mutating func show(_ texts: [ShownText], in track: Int) throws {
    for shown in texts {
      let sample = MovieSample(
        presentation: shown.start, decode: shown.start, duration: shown.duration, isSync: true)
      try movie.append(sample, MovieText.sample(shown.text).span, to: track)
    }
  }

  mutating func end(track: Int) throws {
    if let left = overlaps[track]?.finish() { try show(left, in: track) }
    try movie.end(track)
    try listing?.update(&movie.segments, isComplete: false)
  }

  mutating func mark(_ title: String) throws -> MediaTime? {
    guard let time = movie.newestTime else { throw NodeError.nothingToMark }
    return try mark(title, at: time)
  }

  mutating func mark(_ title: String, at time: MediaTime) throws -> MediaTime? {
    guard let time = time.nanoseconds else { throw NodeError.nothingToMark }
    return try mark(title, at: time) as MediaTime
  }

  /// Marks a moment of the movie, as far as it has room for marks.
  mutating func mark(_ title: String, at time: Int64) throws -> MediaTime {
    guard movie.markCount < ChapterMarks.most else {
      throw NodeError(
        "`\(path)` has \(ChapterMarks.most) marks, as many as a movie can have",
        remedy: "record in parts: with `{number}` in the path, each has its own")
    }
    movie.mark(title, at: time)
    return MediaTime(nanoseconds: time)
  }

  /// Has the next key frame begin a segment.
  mutating func cutAtNextKeyFrame() { movie.segments.cutAtNextKeyFrame() }

  /// Has the segment end with what is presented up to a time of each track, in nanoseconds.
  mutating func cut(after times: [Int: Int64]) { movie.segments.cut(after: times) }

  /// When the finished movie begins, in nanoseconds of the run.
  var start: Int64? { movie.start }

  /// Takes away the marks from a time on, which are of another part.
  mutating func removeMarks(from time: Int64) -> [ChapterMark] { movie.removeMarks(from: time) }

  var finishByteCount: Int? { movie.finishByteCount }
  var bytesPerSecond: Int { movie.bytesPerSecond }

  mutating func finish() throws {
    for track in overlaps.keys.sorted() {
      try show(overlaps[track]?.finish() ?? [], in: track)
    }
    try movie.finish()
    try listing?.update(&movie.segments, isComplete: true)
  }

  func check() throws {
    let faults = try movie.receipt.faults(of: path)
    guard !faults.isEmpty else { return }
    throw NodeError(
      "the finished `\(path)` isn't what was written: \(faults.joined(separator: "; "))",
      remedy: "look what else writes to the file or what the system says of its disk (`dmesg`), "
        + "then record again; where it is neither, report it as a fault of GraphKit")
  }

  func lossReason(track: Int) -> String? {
    let count = movie.lateCount(of: track)
    guard count > 0 else { return nil }
    return "\(count) \(count == 1 ? "is" : "are") to be decoded before one that had come already"
  }

  /// The segments that are there are all that there will be. The failure has been reported.
  mutating func giveUp() { try? listing?.update(&movie.segments, isComplete: true) }
}

extension NodeError {
  /// That a movie is marked before it has a sample.
  static var nothingToMark: NodeError {
    NodeError("no sample has come to the movie yet", remedy: "set the mark once it records")
  }
}

extension MovieSample {
  /// The times of a sample; `nil` where it doesn't say when it is presented. One that doesn't say when
  /// it is decoded is decoded in its turn, after the samples that came before it.
  init?(_ sample: borrowing SampleBuffer, after last: inout Int64) {
    guard let presentation = sample.presentationTime.nanoseconds else { return nil }
    let decode = sample.decodeTime.nanoseconds ?? max(presentation, last)
    last = max(decode, last)
    self.init(
      presentation: presentation, decode: decode,
      duration: max(0, sample.duration.nanoseconds ?? 0), isSync: sample.isSync)
  }
}

extension MovieTrackFormat {
  /// `h264 of 640x360`, in messages.
  fileprivate var words: String {
    let kind = codec?.rawValue ?? "other media"
    return width > 0
      ? "\(kind) of \(width)x\(height)" : "\(kind) of \(sampleRate) Hz, \(channels) channels"
  }
}

extension MovieTrackOptions {
  init(_ track: OutputTrack) {
    self.init()
    (lead, start, length) = (track.lead, track.start, track.length)
    (priming, keepsStart) = (track.priming, track.keepsStart)
    hasPresentationTimes = track.hasPresentationTimes
    if let range = track.range, range.duration.isNumeric { stop = range.end.nanoseconds }
    (rotation, label) = (track.rotation ?? .none, track.label)
  }
}
