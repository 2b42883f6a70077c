import GraphKit
import GraphKitSystem

/// Writes encoded video and audio into a movie: MP4, QuickTime (MOV) or M4A by the file's name.
///
/// While it records, the file is a row of short fragments, so that whatever ends the process, all
/// but the last of them can be played. A clean end makes it an ordinary movie.
public struct MP4Sink: ElementNode {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// Whether the movie is written in fragments until it ends, so that a crash loses little.
  public var crashSafe = true
  /// The length of a fragment, in milliseconds; `nil` for 100 with video, whose encoder holds back
  /// some more, and 250 for audio alone.
  public var fragmentDuration: Int?
  /// How long the movie gets, in seconds; 0 for as long as its inputs go on.
  public var seconds = 0.0
  /// How players rotate the video of all tracks; where none, each is rotated as it came.
  public var transform = Rotation.none
  /// The movie's title; empty for none.
  public var title = ""
  /// What else the movie says of itself.
  public var tags = MovieLabels()
  /// The file of a picture that players show, JPEG or PNG; empty for none.
  public var cover = ""
  private var coverBytes: [UInt8] = []
  /// The languages of tracks by their ports, as BCP 47 has them.
  public var languages: [String: JSONValue] = [:]
  /// The tracks of which players present one, group by group.
  public var alternatives: [AlternateTracks] = []
  /// The parts of the movie that have titles.
  public var chapters: [MovieMark] = []
  /// When the movie was made, as `2026-01-31T12:00:00Z`. Where it is empty, a movie of what is live
  /// has the time of its recording, and any other says nothing, so that the same files give the same
  /// bytes.
  public var creationTime = ""
  /// Units a second of the movie's own times; 0 for the muxer's choice.
  public var movieTimescale = 0
  /// The four letters of the kind of file that it says it is; empty for those of its name.
  public var brand = ""
  /// Whether the index goes in front of the samples.
  public var optimizeForNetworkUse = false

  /// Whether what comes is live: what is made of files says nothing of when.
  private var isLive = true

  /// When the movie begins, in the run's time; `nil` for its first sample, of video where it has that.
  package var start: MediaTime?

  /// Whether what comes is recorded now.
  public var recording = true
  /// How much of what came before a recording is recorded with it, in seconds.
  public var preRoll = 0.0

  /// Whether a playlist beside the movie names its segments, for players that stream it.
  public var playlist = false
  /// The length of such a segment, in seconds. Each begins with a key frame, which the encoders of
  /// the graph are asked for.
  public var segmentDuration = 6.0

  /// The length of a part, in seconds, of a movie that is written in parts; 0 for any.
  public var splitEvery = 0.0
  /// How many bytes a part has at most; 0 for any number.
  public var splitSize = 0
  /// Whether the times of a part go on where those of the part before end.
  public var keepTimes = false
  /// How many parts are kept, the oldest being deleted; 0 for all.
  public var keepParts = 0
  /// How many bytes the parts have together, the oldest being deleted; 0 for any number.
  public var keepSize = 0

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<MP4Sink>(
    "mp4Sink", role: .sink, help: "Writes a movie: MP4, MOV, M4A or CMAF by the file's name.",
    phrase: "written to {path}[ for {seconds}]",
    example: "encoder -> movie.video",
    parameters: [
      .path(
        "path", \.path,
        help: "The file to write: \(MovieKind.endings); with `{number}` in it, parts."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .bool(
        "crashSafe", \.crashSafe,
        help: "Whether it records in fragments, so that a crash loses less than a second."),
      .integer(
        "fragmentDuration", \.fragmentDuration, in: 20...500, unit: "ms",
        help: "The length of a fragment, lost in a crash; 100 with video, 250 without."),
      .number(
        "seconds", \.seconds, in: 0...31_536_000, unit: "s",
        help: "How long the movie gets; 0 for as long as its inputs go on."),
      .choice(
        "transform", \.transform,
        help: "How players mirror and rotate video, clockwise; where none, as the source says."),
      .string("title", \.title, help: "The movie's title."),
      .record("tags", \.tags, help: "What else it says of itself: { \"artist\", \"album\", … }."),
      .path("cover", \.cover, required: false, help: "A JPEG or PNG file that players show."),
      .object(
        "languages", \.languages,
        help: "Of tracks by their ports: { \"audio\": \"de\", \"text.2\": \"pt-BR\" }."),
      .list(
        "alternatives", \.alternatives, limit: 100,
        help: "Of which players present one: { \"tracks\": [\"audio\", …], \"default\" } each."),
      .list(
        "chapters", \.chapters, limit: 1_000, help: "Its parts: { \"time\", \"title\" } each."),
      .string(
        "creationTime", \.creationTime,
        help: "When it was made, as 2026-01-31T12:00:00Z; by default said of live recordings."),
      .integer(
        "movieTimescale", \.movieTimescale, in: 0...1_000_000, unit: "1/s",
        help: "Units a second of the movie's own times; 0 for the muxer's choice."),
      .string(
        "brand", \.brand,
        help: "The four letters of its kind, such as mp42; where empty, by its name."),
      .bool(
        "optimizeForNetworkUse", \.optimizeForNetworkUse,
        help: "Whether the index goes first, so that playing can begin while the file loads."),
      .bool(
        "recording", \.recording, live: true,
        help: "Whether what comes is recorded; a movie goes on without a gap, parts begin anew."),
      .number(
        "preRoll", \.preRoll, in: 0...600, unit: "s",
        help: "How much of what came before `recording` was set is recorded with it."),
      .bool(
        "playlist", \.playlist,
        help: "Whether NAME.m3u8 beside it (HLS) has players stream it, also while it records."),
      .number(
        "segmentDuration", \.segmentDuration, in: 0.5...60, unit: "s",
        help: "The length of segments, and CMAF fragments; encoders are asked for key frames."),
      .number(
        "splitEvery", \.splitEvery, in: 0...86_400, unit: "s",
        help: "The length of a part, where the path has `{number}` in it; 0 for any."),
      .integer(
        "splitSize", \.splitSize, in: 0...1_000_000_000_000, unit: "B",
        help: "How large a part gets; 0 for any size."),
      .bool(
        "keepTimes", \.keepTimes,
        help: "Whether parts go on in time, rather than begin at zero each."),
      .integer(
        "keepParts", \.keepParts, in: 0...1_000_000,
        help: "How many parts are kept, the oldest being deleted; 0 for all."),
      .integer(
        "keepSize", \.keepSize, in: 0...1_000_000_000_000_000, unit: "B",
        help: "How large the parts are together, the oldest being deleted; 0 for any size."),
    ])

  /// The inputs of a movie.
  public struct Ports: PortSet {
    /// Video, one track each.
    public let video = InputPort<EncodedVideo>(
      "video", .encoded(.h264, .hevc, .av1, .vp9, .prores, .jpeg), isRepeatable: true,
      isRequired: false,
      help: "Video; a track each, the second as `video.2`.")
    /// Audio, one track each.
    public let audio = InputPort<EncodedAudio>(
      "audio", .encoded(.aac, .mp3, .alac, .opus, .ac3, .eac3, .flac), isRepeatable: true,
      isRequired: false,
      help: "Audio; a track each, the second as `audio.2`.")
    /// Audio that isn't encoded, one track each.
    public let pcm = InputPort<Audio>(
      "pcm", .audio([.s16, .s24, .s32, .f32, .f64], layouts: [.interleaved]), isRepeatable: true,
      isRequired: false,
      help: "Audio that stays as it is, for MOV; a track each, the second as `pcm.2`.")
    /// Subtitles, one track each.
    public let text = InputPort<TimedText>(
      "text", FormatConstraint(.text), isRepeatable: true, isRequired: false,
      help: "Subtitles; a track each, the second as `text.2`.")
  }

  public static let ports = Ports()

  public var namedFiles: [NamedFile] {
    var files: [NamedFile] = []
    if !cover.isEmpty { files.append(NamedFile(cover, key: "cover", isWritten: false)) }
    if playlist, !path.isEmpty {
      files.append(NamedFile(Playlist.path(of: path), key: "playlist", isWritten: true))
    }
    return files
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try OutputFile(partNames(in: environment)?.first ?? path, replaces: overwrite)
      .check(in: environment)
    if !cover.isEmpty { coverBytes = try CoverPicture.read(cover) }
    if playlist {
      try OutputFile(Playlist.path(of: path), replaces: overwrite).check(in: environment)
    }
    return []
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    guard !formats.isEmpty else {
      throw NodeError(
        "nothing is wired to the movie", remedy: "wire encoded video or audio to it")
    }
    var chain = ElementChain([], inputs: [:], outputs: [:])
    let hasVideo = formats.values.contains { $0.kind == .encodedVideo }
    let names = partNames(in: environment)
    let file = OutputFile(names?.first ?? path, replaces: overwrite)
    chain.output = movie(file.asked(of: environment), hasVideo, names)
    for (port, format) in formats { chain.inputElements[port] = format.codecs.first?.parsers ?? [] }
    return [chain]
  }

  public mutating func settle(isLive: Bool) { self.isLive = isLive }

  public var traits: NodeTraits {
    var traits = NodeTraits(
      maximumDuration: seconds > 0
        ? MediaTime(seconds: seconds, preferredTimescale: 1_000_000) : nil,
      copiesRanges: skipsBeginnings)
    traits.writesChapters = chapters.isEmpty
    return traits
  }

  /// Whether it is a single movie of all that comes: players of segments pass over edit lists.
  private var skipsBeginnings: Bool {
    seconds == 0 && !playlist && kind?.isTrack != true && !PartNames.hasField(path) && recording
      && preRoll == 0
  }

  /// The names of the parts, where the movie has some: numbers go on after those that are there.
  private func partNames(in environment: any Environment) -> PartNames? {
    guard PartNames.hasField(path) else { return nil }
    return PartNames(
      path, existing: NamedFile(path, key: "path", isWritten: true).existing(in: environment),
      at: ProcessTime.secondsSince1970)
  }

  private func movie(_ file: OutputFile, _ hasVideo: Bool, _ names: PartNames?) -> MovieOutput {
    var movie = MovieOutput(file: file)
    movie.parts = names.map { names in
      MoviePartSettings(
        names: names, duration: splitEvery > 0 ? Int64(splitEvery * 1e9) : nil,
        byteCount: splitSize > 0 ? splitSize : nil, keptCount: keepParts > 0 ? keepParts : nil,
        keptByteCount: keepSize > 0 ? keepSize : nil, keepsTimes: keepTimes,
        isDated: !creationTime.isEmpty || !isLive)
    }
    movie.recording = RecordingSettings(
      isRecording: recording, preRoll: Int64(preRoll * 1e9), makesParts: names != nil)
    movie.rotation = transform == .none ? nil : transform
    movie.optimizesForNetworkUse = optimizeForNetworkUse
    movie.settings.isIndexFirst = optimizeForNetworkUse
    movie.settings.isFragmented = crashSafe
    movie.settings.fragmentDuration = Int64(fragmentDuration ?? (hasVideo ? 100 : 250)) * 1_000_000
    if let fragmentDuration { movie.copiedDuration = Int64(fragmentDuration) * 1_000_000 }
    movie.settings.timescale = movieTimescale
    movie.settings.start = start?.nanoseconds
    movie.isTrack = kind?.isTrack == true
    let hasSegments = playlist || movie.isTrack
    movie.settings.segmentDuration = hasSegments ? Int64(segmentDuration * 1e9) : nil
    movie.settings.isQuickTime = kind == .mov
    movie.settings.brand = brand.isEmpty ? kind?.brand ?? "isom" : brand
    movie.settings.creationTime =
      CalendarTime(creationTime)?.secondsSince1970 ?? (isLive ? ProcessTime.secondsSince1970 : nil)
    movie.settings.tags.texts = tags.tags
    movie.settings.tags.cover = coverBytes
    movie.settings.chapters = chapters.map(\.chapter)
    movie.alternatives = alternatives
    movie.languages = TrackLanguages(languages).tags
    if !title.isEmpty { movie.settings.tags.texts["title"] = title }
    return movie
  }
}
