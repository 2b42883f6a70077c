import Containers
import GraphKit
import GraphKitSystem

/// The streams of a file, as they are in it: encoded, or raw PCM where the file holds that.
///
/// The file is looked into before the graph is checked, so its ports are those of its streams:
/// `video`, `audio`, `text`, and `audio.2` for a second one. Each wired port has a reader of its own, driven by its own demand, so
/// that however badly a file is interleaved, no stream waits for another.
///
/// Of a range every stream begins at zero. Decoded, it is exact to the sample, and to the frame: what
/// is shown at its first moment is its first frame, for as long as it is shown after that.
public struct FileSource: ElementNode {
  /// The file.
  public var path = ""
  /// Where the part that is read begins, in seconds of the file; `nil` for its beginning.
  public var from: Double?
  /// Where it ends; `nil` for the file's end, or where ``duration`` says.
  public var to: Double?
  /// How long it is; `nil` for up to ``to``.
  public var duration: Double?
  /// Whether a copy has the frames of the part alone: those at its ends are encoded anew.
  public var exact = false
  /// Where copies are cut.
  var cuts = ExactCuts()
  /// How often the file, or the part, is played; 0 for without end. Once, its streams leave as they are
  /// in the file; else decoded, without a gap.
  public var loop = 1
  /// Whether a process of its own reads and decodes it, which can do no harm.
  public var isolate = false
  /// For how long that process may bring nothing, in seconds.
  public var timeLimit = 30.0
  /// The memory that it may have, in MiB.
  public var memoryLimit = 4096
  private var environment: (any Environment)?
  private(set) var streams: [(port: String, stream: DiscoveredStream)] = []
  private var pictures: GIFSource?

  /// A file to be named.
  public init() {}

  public static let declaration = NodeDeclaration<FileSource>(
    "file", role: .source, help: "The streams of a file, not decoded.",
    phrase: "read from {path}[ from {from} on][ up to {to}][ for {duration}][, {loop} times over]",
    example: "file.video -> movie.video",
    parameters: [
      .path("path", \.path, help: "Any file that GStreamer reads, or its address: `https://…`."),
      .number(
        "from", \.from, in: 0...FileRange.limit, unit: "s",
        help: "Where the part that is read begins; left out, at the file's beginning."),
      .number(
        "to", \.to, in: 0...FileRange.limit, unit: "s",
        help: "Where it ends; left out, at the file's end."),
      .number(
        "duration", \.duration, in: 0...FileRange.limit, unit: "s",
        help: "How long it is, in place of `to`."),
      .bool(
        "exact", \.exact,
        help: "Whether a copy of it has its frames alone, those at its ends encoded anew."),
      .integer(
        "loop", \.loop, in: 0...1_000_000,
        help: "How often it is played, 0 for without end; more than once, it is decoded here."),
      .bool(
        "isolate", \.isolate,
        help: "Whether a process of its own reads and decodes it, where it can do no harm."),
      .number(
        "timeLimit", \.timeLimit, in: 0.1...86_400, unit: "s",
        help: "With `isolate`, for how long its process may bring nothing."),
      .integer(
        "memoryLimit", \.memoryLimit, in: 192...1_048_576, unit: "MiB",
        help: "With `isolate`, the memory that its process may have."),
    ])

  /// The ports of a file that has streams of all kinds.
  public struct Ports: PortSet {
    /// The first video stream.
    public let video = OutputPort<AnyMedia>(
      "video", isRequired: false, help: "The first video stream; `video.2` is the second.")
    /// The first stream of audio.
    public let audio = OutputPort<AnyMedia>(
      "audio", isRequired: false, help: "The first audio stream; `audio.2` is the second.")
    /// The first stream of subtitles.
    public let text = OutputPort<AnyMedia>(
      "text", isRequired: false, help: "The first stream of subtitles; `text.2` is the second.")
    /// All of them.
    public var declarations: [PortDeclaration] {
      [video.declaration, audio.declaration, text.declaration]
    }
  }

  public static let ports = Ports()

  public var traits: NodeTraits {
    var traits = NodeTraits(isEndless: loop == 0)
    traits.isReadApart = isolate && loop == 1
    return traits
  }

  public var portDeclarations: [PortDeclaration] {
    if let looped { return looped.portDeclarations }
    guard !streams.isEmpty else { return Self.ports.declarations }
    return streams.map { port, stream in stream.declaration(of: port, as: port) }
  }

  public var problem: NodeError? { isolationProblem ?? FileRange.problem(of: self) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try isolateAsAsked(by: environment)
    let notices = try discover(in: environment)
    self.environment = environment
    try checkLoop()
    guard let range = FileRange(of: self) else { return notices }
    try range.check(path, streams.map(\.stream))
    if exact { cuts = try ExactCuts(path, streams, range: range) }
    return notices
  }

  /// The file as a process of its own reads it; `nil` where this one does.
  private var isolated: IsolatedFile? {
    guard isolate, loop == 1, !streams.isEmpty else { return nil }
    return IsolatedFile(isolatedInput, streams, fileStreams ?? [:])
  }

  /// The file as it is played several times; `nil` where it is played once.
  private var looped: LoopedFile? {
    guard loop != 1, let environment else { return nil }
    return LoopedFile(self, loopedTracks, count: loop, in: environment)
  }

  private var loopedTracks: [LoopedTrack] { streams.compactMap { LoopedTrack($0.port, $0.stream) } }

  private func checkLoop() throws(NodeError) {
    guard loop != 1 else { return }
    guard !streams.contains(where: { $0.stream.isStill }) else {
      throw NodeError(
        "`\(path)` is a picture, which has no length",
        remedy: "lay the picture over a `testVideo` with an `overlay`, which gives it one",
        key: "loop")
    }
    guard loopedTracks.isEmpty else { return }
    throw NodeError(
      "`\(path)` has neither audio nor video to play again", remedy: "leave out `loop`",
      key: "loop")
  }

  /// The ports of a file's streams: `audio` is the first of audio, `audio.2` the second.
  package static func ports(
    of streams: [DiscoveredStream]
  ) -> [(port: String, stream: DiscoveredStream)] {
    var counts: [String: Int] = [:]
    return streams.compactMap { stream in
      guard let family = stream.format.family else { return nil }
      let count = counts[family, default: 0] + 1
      counts[family] = count
      return (count == 1 ? family : "\(family).\(count)", stream)
    }
  }

  private mutating func discover(in environment: any Environment) throws(NodeError) -> [String] {
    var leftOut: [String] = []
    pictures = nil
    let found: [DiscoveredStream]
    if isolate {
      (found, leftOut) = try discoverIsolated(in: environment)
    } else {
      found = try environment.discover(path)
    }
    streams = Self.ports(of: found)
    let file = found.first?.fetched?.reopened()
    for index in streams.indices { streams[index].stream.fetched = file }
    for stream in found where stream.format.family == nil {
      leftOut.append("a stream of `\(path)` is neither audio, video nor text: \(stream.format)")
    }
    for (_, stream) in streams {
      if stream.isAnimation, !isolate { pictures = try GIFSource(path) }
      if !isolate, let caps = stream.otherCaps, environment.decoders(of: caps).isEmpty {
        let name = caps.prefix { $0 != "," }
        leftOut.append("`\(path)` has \(Self.advice(name))")
      }
    }
    guard streams.isEmpty else { return leftOut }
    throw NodeError(
      "`\(path)` has neither audio nor video", remedy: "give a file that has", key: "path")
  }

  /// What to say of a stream of caps that no decoder takes.
  private static func advice(_ name: String.SubSequence) -> String {
    if name.hasPrefix("image/") {
      return "a picture of \(name), which no `decoder` knows: save it as PNG or JPEG"
    }
    let convert = "convert it, for example with ffmpeg"
    return name.hasSuffix("/x-unknown")
      ? "a stream of a codec that GStreamer's reader of such files doesn't know: \(convert)"
      : "\(name), which no `decoder` knows: \(convert)"
  }

  /// PCM needs no decoder: it is read as it is. A GIF's frames are drawn here.
  public var work: NodeWork {
    if let isolated { return .replaced(by: isolated) }
    if let looped { return .replaced(by: looped) }
    if let stream = streams.first?.stream, let pcm = stream.pcm {
      let part = FileRange(of: self)?.part(of: pcm) ?? pcm
      return .replaced(by: PCMFileSource(part, in: stream.fetched))
    }
    return pictures.map { .replaced(by: $0) } ?? .elements(self)
  }

  public var fileStreams: [String: FileStream]? {
    guard looped == nil else { return nil }
    let range = FileRange(of: self)?.times
    return Dictionary(
      uniqueKeysWithValues: streams.map { port, stream in
        var file = stream.asInFile
        file.range = range
        file.isHandedOver = isolate
        file.duration = stream.duration(of: range)
        return (port, file)
      })
  }

  public func countedDuration(of port: String) -> MediaTime? {
    guard let stream = streams.first(where: { $0.port == port })?.stream, stream.fetched == nil,
      case .encoded(let encoded) = stream.format, [.mp3, .aac].contains(encoded.codec),
      let file = try? InputFile(path).file
    else { return nil }
    return EncodedLength.duration(of: file)
  }

  public func pieces(of ports: [String]) -> (any PieceReader)? {
    guard !isolate else { return nil }
    var (numbers, zeros) = ([Int](), [Int64?]())
    for port in ports {
      guard let stream = streams.first(where: { $0.port == port })?.stream, stream.isCopiedWhole,
        let number = stream.identifier.split(separator: "/").last.flatMap({ Int($0) })
      else { return nil }
      numbers.append(number)
      zeros.append(stream.ownStart)
    }
    let part = FileRange(of: self).flatMap { range in
      FileStream.rangeStart.nanoseconds.map {
        MovieSamples.Part(range.nanoseconds, saying: $0, zeros: zeros)
      }
    }
    return MoviePieces(path, tracks: numbers, part: part, in: streams.first?.stream.fetched)
  }

  public func parts(of port: String) -> StreamParts? {
    guard let range = FileRange(of: self), let stream = streams.first(where: { $0.port == port }),
      let declaration = portDeclarations.first(where: { $0.name == port })
    else { return nil }
    return cuts.parts(of: port, stream.stream, self, range, declaration.format)
  }

  public func reading(_ range: MediaTimeRange) -> (any Node)? {
    guard !isolate, loop == 1, FileRange(of: self) == nil, pictures == nil,
      let start = range.start.nanoseconds
    else { return nil }
    var part = self
    part.from = start > 0 ? Double(start) / 1e9 : nil
    part.to = range.duration.isNumeric ? range.end.seconds : nil
    return part
  }

  /// What is missing of the file, in words.
  public var fileShortfall: String? { streams.first?.stream.shortfall }

  public func findFileDamage() -> String? {
    // What is missing at the end is known already; of what is fetched, not all is here.
    guard fileShortfall == nil, streams.first?.stream.fetched == nil,
      let input = try? InputFile(place)
    else { return nil }
    return FileDamage.first(in: path, input.file)
  }

  /// Where elements find the file.
  private var place: String {
    InputFile.elementPath(of: path, streams.first?.stream.fetched)
  }

  public var openFiles: [InputFile] { streams.first?.stream.fetched.map { [$0] } ?? [] }

  public var namedFiles: [NamedFile] {
    // Another name of a file of this machine: `file:///tmp/a.mp4`.
    let local = InputFile.elementPath(of: path, nil)
    return local == path ? [] : [NamedFile(local, key: "path", isWritten: false)]
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain(
      [
        ElementSpec("filesrc", plugin: "coreelements", ["location": place.propertyText]),
        // What it plugs together depends on the file, so all plug-ins must be known.
        ElementSpec("parsebin", plugin: nil),
      ],
      inputs: [:],
      outputs: Dictionary(
        uniqueKeysWithValues: streams.map { ($0.port, .stream(id: $0.stream.identifier)) }))
    chain.isPerOutput = true
    for (port, stream) in streams {
      // Raw video passes no decoder.
      let colors: [PadFilter] = port.hasPrefix("video") ? [.completedColors] : []
      let length = stream.lastFrame.map { [PadFilter.lasting($0)] } ?? []
      chain.filters[port] = colors + (stream.edit?.packetFilters ?? []) + length
    }
    return [chain]
  }
}

extension DiscoveredStream {
  /// A port that gives it as it is in the file.
  func declaration(of port: String, as name: String) -> PortDeclaration {
    var constraint = format.constraint(isVideo: port.hasPrefix("video"))
    constraint.rotation = rotation
    return PortDeclaration(
      name, .output, constraint, isRequired: false, help: "A stream of the file: \(format).")
  }

  /// Whether a copy has each of its packets as it is in the file.
  fileprivate var isCopiedWhole: Bool {
    guard case .encoded(let encoded) = format, shortfall == nil,
      edit?.packetFilters.isEmpty ?? true
    else { return false }
    // Frames that aren't presented are left out by the elements.
    return [.h264, .hevc].contains(encoded.codec) ? edit?.keyFrame == nil : encoded.codec == .aac
  }

  /// Its own time at which its file begins, in nanoseconds, where that isn't its edit list's.
  fileprivate var ownStart: Int64? {
    guard let edit, !edit.keepsSegments else { return nil }
    guard let origin = edit.origin else {
      return edit.start.nanoseconds.flatMap { start in edit.delay.nanoseconds.map { start - $0 } }
    }
    return origin.nanoseconds
  }

  /// How long it is, or a part of it.
  fileprivate func duration(of range: MediaTimeRange?) -> MediaTime? {
    let whole = duration.flatMap { $0 > .zero ? $0 : nil }
    guard let range else { return whole }
    guard let rest = whole.map({ $0 - range.start }) else {
      return range.duration.isNumeric ? range.duration : nil
    }
    return rest > .zero ? min(range.duration, rest) : nil
  }

  /// What the engine has to know of it.
  fileprivate var asInFile: FileStream {
    var stream = FileStream()
    (stream.edit, stream.end, stream.fetched) = (edit, end, fetched)
    (stream.isStill, stream.comesLate, stream.canSeek) = (isStill, comesLate, canSeek)
    stream.isReordered = format.isReordered
    (stream.chapters, stream.location, stream.label) = (chapters, location, label)
    return stream
  }

  /// Whether it is one picture: video of the same codecs says how fast its frames come.
  fileprivate var isStill: Bool {
    guard case .encoded(let encoded) = format else {
      return otherCaps?.hasPrefix("image/") == true
    }
    let isFast = encoded.frameRate.map { $0.numerator > 0 } ?? false
    return [.jpeg, .png, .bmp].contains(encoded.codec) && !isFast && (duration ?? .zero) == .zero
  }

  /// The caps of encoded audio or video that is in none of the formats of ``Codec``.
  fileprivate var otherCaps: String? {
    guard case .other(let caps) = format, let name = caps.split(separator: ",").first,
      !name.hasSuffix("/x-raw"), !name.hasPrefix("video/x-raw("), !name.hasPrefix("audio/x-raw(")
    else { return nil }
    return caps
  }
}

extension MediaFormat {
  /// Whether it is the video of a film: a file that doesn't say when they are decoded may say late,
  /// too, when the first of them are presented.
  fileprivate var isReordered: Bool {
    guard case .encoded(let encoded) = self else { return false }
    return [.h264, .hevc, .vp8, .vp9, .av1].contains(encoded.codec)
  }
}

extension String {
  /// The text as a property's: what begins with a quotation mark would be unquoted.
  var propertyText: String { hasPrefix("\"") ? "./\(self)" : self }
}
