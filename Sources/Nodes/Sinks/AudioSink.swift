import Containers
import GraphKit

/// Writes encoded audio into a file: MP3, FLAC or Ogg by the file's name.
///
/// The packets are written as they come. What is there can be played at any moment, however the run
/// ends; at its end the file gets its length, to the sample.
public struct AudioSink: ElementNode, FileSink {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// The title; empty for that of the stream.
  public var title = ""
  /// What else the file says of itself.
  public var tags = MovieLabels()
  /// The file of a picture that players show, JPEG or PNG; empty for that of the stream.
  public var cover = ""
  private var coverBytes: [UInt8] = []

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<AudioSink>(
    "audioSink", role: .sink, help: "Writes encoded audio: MP3, FLAC or Ogg by the file's name.",
    phrase: "written to {path}",
    example: "mp3Encoder -> audioSink",
    parameters: [
      .path("path", \.path, help: "The file to write: \(Kind.endings)."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .string("title", \.title, help: "The title; where empty, that of the stream."),
      .record("tags", \.tags, help: "What else it says of itself: { \"artist\", \"album\", … }."),
      .path("cover", \.cover, required: false, help: "A JPEG or PNG file that players show."),
    ])

  public static let ports = SinkPorts<EncodedAudio>(
    .encoded(.mp3, .opus, .vorbis, .flac), help: "What is to be written.")

  public var namedFiles: [NamedFile] {
    cover.isEmpty ? [] : [NamedFile(cover, key: "cover", isWritten: false)]
  }

  private var kind: Kind? { Kind(path: path) }

  public var problem: NodeError? {
    // A path that isn't given yet is reported by another rule.
    guard !path.isEmpty, kind == nil else { return tags.problem }
    return NodeError(
      "`\(path)` is not named as a file of encoded audio",
      remedy: "end it in \(Kind.endings); `mp4Sink` writes .m4a, `wavSink` .wav, `aiffSink` .aiff",
      key: "path")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    guard let kind, let codec = formats["in"]?.codecs.first, formats["in"]?.codecs.count == 1,
      !kind.codecs.contains(codec)
    else { return nil }
    let fitting = Kind.allCases.filter { $0.codecs.contains(codec) }.map { ".\($0.rawValue)" }
    let encoders = kind.codecs.map { "`\($0.encoderName)`" }
    return NodeError(
      "`\(path)` is named as a file of \(FormatWords.either(kind.codecs.map(\.spoken))), and "
        + "\(codec.spoken) is wired to it",
      remedy: "end the name in \(FormatWords.either(fitting)), or encode with "
        + FormatWords.either(encoders), key: "path")
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try file.check(in: environment)
    if !cover.isEmpty {
      coverBytes = try CoverPicture.read(cover, upTo: AudioFileOutput.largestPicture)
    }
    return []
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var output = AudioFileOutput(
      kind: kind?.container ?? .ogg,
      place: file.asked(of: environment))
    output.tags.texts = tags.tags
    output.tags.cover = coverBytes
    if !title.isEmpty { output.tags.texts["title"] = title }
    var chain = ElementChain([], inputs: [:], outputs: [:])
    chain.output = output
    for (port, format) in formats { chain.inputElements[port] = format.codecs.first?.parsers ?? [] }
    return [chain]
  }
}

extension AudioSink {
  /// The kinds of files, by the ends of their names.
  private enum Kind: String, CaseIterable {
    case mp3, flac, ogg, oga, opus

    /// The kind of file that a path names; `nil` where it names none.
    init?(path: String) {
      let name = path.split(separator: "/").last ?? ""
      guard name.contains("."), let end = name.split(separator: ".").last else { return nil }
      self.init(rawValue: end.lowercased())
    }

    static let endings = FormatWords.either(allCases.map { ".\($0.rawValue)" })

    var container: AudioFileOutput.Kind {
      switch self {
      case .mp3: .mp3
      case .flac: .flac
      case .ogg, .oga, .opus: .ogg
      }
    }

    /// What it holds. Files of Opus alone end in .opus, and others in Ogg in .ogg or .oga (RFC 5334,
    /// 10.3, and RFC 7845, 9).
    var codecs: [Codec] {
      switch self {
      case .mp3: [.mp3]
      case .flac: [.flac]
      case .opus: [.opus]
      case .ogg, .oga: [.vorbis, .opus, .flac]
      }
    }
  }
}

extension Codec {
  /// The node that makes it.
  fileprivate var encoderName: String {
    switch self {
    case .mp3: "mp3Encoder"
    case .flac: "flacEncoder"
    case .opus: "opusEncoder"
    default: "vorbisEncoder"
    }
  }
}
