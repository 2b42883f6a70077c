import GraphKit

/// Writes video, audio and subtitles into a Matroska or WebM file, by the file's name.
///
/// What is written plays also where the file was never finished, but for what was being written: its
/// index and its length are then missing.
public struct MatroskaSink: ElementNode, FileSink {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// How long the file gets, in seconds; 0 for as long as its inputs go on.
  public var seconds = 0.0
  /// The file's title; empty for none.
  public var title = ""
  /// What else the file says of itself.
  public var tags = MovieLabels()
  /// The file's chapters, in any order.
  public var chapters: [MovieMark] = []
  /// The languages of tracks by their ports, as BCP 47 has them.
  public var languages: [String: JSONValue] = [:]

  /// Whether what comes is live: what is made of files says nothing of when.
  private var isLive = true

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<MatroskaSink>(
    "matroskaSink", role: .sink, help: "Writes a Matroska or WebM file, by the file's name.",
    phrase: "written to {path}[ for {seconds}]",
    example: "encoder -> web.video",
    parameters: [
      .path("path", \.path, help: "The file to write: \(MatroskaKind.endings)."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .number(
        "seconds", \.seconds, in: 0...31_536_000, unit: "s",
        help: "How long the file gets; 0 for as long as its inputs go on."),
      .string("title", \.title, help: "The file's title."),
      .record("tags", \.tags, help: "What else it says of itself: { \"artist\", \"album\", … }."),
      .list(
        "chapters", \.chapters, limit: 1_000, help: "Its parts: { \"time\", \"title\" } each."),
      .object(
        "languages", \.languages,
        help: "Of tracks by their ports: { \"audio\": \"de\", \"text.2\": \"pt\" }."),
    ])

  /// The inputs of a file.
  public struct Ports: PortSet {
    /// Video, one track each.
    public let video = InputPort<EncodedVideo>(
      "video", .encoded(.encodedVideo, MatroskaKind.videoCodecs), isRepeatable: true,
      isRequired: false,
      help: "Video; a track each, the second as `video.2`. In WebM VP8, VP9 or AV1.")
    /// Audio, one track each.
    public let audio = InputPort<EncodedAudio>(
      "audio", .encoded(.encodedAudio, MatroskaKind.audioCodecs), isRepeatable: true,
      isRequired: false,
      help: "Audio; a track each, the second as `audio.2`. In WebM Opus or Vorbis.")
    /// Audio that isn't encoded, one track each.
    public let pcm = InputPort<Audio>(
      "pcm", .audio([.s16, .s24, .s32, .f32, .f64], layouts: [.interleaved]), isRepeatable: true,
      isRequired: false,
      help: "Audio that stays as it is, not in WebM; a track each, the second as `pcm.2`.")
    /// Subtitles, one track each.
    public let text = InputPort<TimedText>(
      "text", FormatConstraint(.text), isRepeatable: true, isRequired: false,
      help: "Subtitles, not in WebM; a track each, the second as `text.2`.")
  }

  public static let ports = Ports()

  private var kind: MatroskaKind? { MatroskaKind(path: path) }

  public var problem: NodeError? {
    // A path that isn't given yet is reported by another rule.
    if !path.isEmpty, kind == nil {
      return NodeError(
        "`\(path)` is not named as a Matroska file",
        remedy: "end it in \(MatroskaKind.endings)", key: "path")
    }
    return tags.problem ?? TrackLanguages(languages).problem
  }

  /// What the muxer (1.22) writes itself, which is what a pipe gets.
  private static let muxerTags = ["artist", "album", "composer", "genre", "comment", "copyright"]

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    if let problem = TrackLanguages(languages).problem(formats: formats) { return problem }
    for (port, format) in formats.sorted(by: { $0.key < $1.key }) {
      if let problem = problem(of: format, at: port) { return problem }
    }
    return nil
  }

  private func problem(of format: FormatConstraint, at port: String) -> NodeError? {
    if kind == .mka, format.kind.decoded == .video {
      return NodeError(
        "`\(path)` is named as audio only, and video is wired to it", remedy: "end it in .mkv",
        key: "path")
    }
    if kind == .webm, format.kind == .audio || format.kind == .text {
      let what = format.kind == .text ? "subtitles are" : "PCM is"
      return NodeError(
        "`\(path)` is named as WebM, and \(what) wired to \(port), which those aren't written with",
        remedy: format.kind == .text
          ? "end it in .mkv" : "end it in .mkv, or put an encoder of Opus before it", key: "path")
    }
    if let kind, let codec = format.codecs.first, format.codecs.count == 1,
      !kind.codecs.contains(codec)
    {
      guard kind == .webm else { return notHeld(format, codec.kind, at: port) }
      return NodeError(
        "`\(path)` is named as WebM, which holds VP8, VP9, AV1, Opus and Vorbis, and "
          + "\(format) is wired to \(port)",
        remedy: "end it in .mkv, or decode it and encode it again", key: "path")
    }
    return .turned(in: [port: format])
  }

  /// That no Matroska file is written with a codec, however it is named.
  private func notHeld(_ format: FormatConstraint, _ kind: MediaKind, at port: String) -> NodeError
  {
    let isVideo = kind == .encodedVideo
    let held = isVideo ? MatroskaKind.videoCodecs : MatroskaKind.audioCodecs
    return NodeError(
      "`\(path)` can't hold \(format), which is wired to \(port): Matroska files are written with "
        + held.dropLast().map(\.spoken).joined(separator: ", ")
        + (held.last.map { " and \($0.spoken)" } ?? ""),
      remedy: isVideo
        ? "decode it and encode it again, or write an .mp4 with `mp4Sink`"
        : "take another encoder, as `flacEncoder`, which loses nothing either, or write an .m4a with "
          + "`mp4Sink`")
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    guard !formats.isEmpty else {
      throw NodeError(
        "nothing is wired to the file", remedy: "wire encoded video or audio to it")
    }
    var chain = ElementChain(
      [muxer(hasVideo: formats.values.contains { $0.kind == .encodedVideo }), .fileWriter],
      inputs: [
        "video": .request("video_%u"), "audio": .request("audio_%u"), "pcm": .request("audio_%u"),
        "text": .request("subtitle_%u"),
      ], outputs: [:])
    var output = MatroskaOutput(file: file.asked(of: environment))
    (output.isDated, output.takesPictures) = (isLive, kind != .webm)
    output.settings = tags.tags
    if !title.isEmpty { output.settings["title"] = title }
    chain.output = output
    let languages = TrackLanguages(languages).tags
    for (port, format) in formats {
      chain.filters[port] = [output.notingTags(at: port)]
      if format.kind == .text { chain.filters[port]?.append(.plainText) }
      var elements = format.codecs.first?.parsers ?? []
      if format.codecs == [.av1] { elements.append(.av1Configuration) }
      if format.kind == .text { elements.append(.plainTextCaps) }
      if let language = languages[port] { elements.append(.language(language)) }
      chain.inputElements[port] = elements
    }
    return [chain]
  }

  private func muxer(hasVideo: Bool) -> ElementSpec {
    var muxer = ElementSpec(
      (kind ?? .mkv).muxer, plugin: "matroska", ["writing-app": "GraphKit"])
    // A recording begins with its first picture, however late that comes.
    if isLive { muxer.properties["offset-to-zero"] = "true" }
    // Else every packet of audio would be in the index.
    if !hasVideo { muxer.properties["min-index-interval"] = "1000000000" }
    if !title.isEmpty { muxer.tags["title"] = title }
    muxer.copiesChapters = true
    muxer.chapters = chapters.map(\.chapter).sorted { $0.start < $1.start }
    for name in Self.muxerTags { muxer.tags[name] = tags.tags[name] }
    // It takes whole dates alone.
    if let date = tags.texts["date"], CalendarTime("\(date)T00:00:00Z") != nil {
      muxer.tags["date"] = date
    }
    return muxer
  }

  public mutating func settle(isLive: Bool) { self.isLive = isLive }

  public var traits: NodeTraits {
    var traits = NodeTraits(
      needsUprightVideo: true,
      maximumDuration: seconds > 0
        ? MediaTime(seconds: seconds, preferredTimescale: 1_000_000) : nil)
    traits.writesChapters = chapters.isEmpty
    return traits
  }
}

extension ElementSpec {
  /// Has texts pass as plain ones, as a filter after it makes them.
  fileprivate static let plainTextCaps = ElementSpec(
    "capssetter", plugin: "debug", ["caps": "text/x-raw, format=(string)utf8"])

  /// Has a stream of AV1 have a configuration of four bytes, which is completed once the file is
  /// written: the muxer (1.22) writes none, or that of an MP4 file without its beginning.
  fileprivate static let av1Configuration = ElementSpec(
    "capssetter", plugin: "debug", ["caps": "video/x-av1, codec_data=(buffer)81000c00"])
}
