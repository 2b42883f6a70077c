import GraphKit
import GraphKitSystem

/// Writes a stream into a folder: segments, their playlists for players of HLS, and a manifest for
/// players of DASH.
///
/// Any web server can serve the folder, also while it is written. Each input is a rendition with
/// segments of its own, which begin at the same times: the encoders before it are asked for key
/// frames there.
public struct HLSSink: ElementNode {
  /// The folder.
  public var path = ""
  /// Whether a stream that is in the folder already is replaced.
  public var overwrite = false
  /// The length of a segment, in seconds.
  public var segmentDuration = 6.0
  /// How much of the stream the playlists list, in seconds, where it has no end: segments that are
  /// older are deleted. 0 for all of it.
  public var window = 0.0
  /// Whether there is a manifest for players of DASH.
  public var dash = true
  /// How long the stream gets, in seconds; 0 for as long as its inputs go on.
  public var seconds = 0.0

  /// Whether what comes is live: what is made of files says nothing of when.
  private var isLive = true

  /// A sink whose folder is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<HLSSink>(
    "hlsSink", role: .sink, help: "Writes a stream in segments for players of HLS and DASH.",
    phrase: "written to the folder {path} for players of HLS and DASH[ for {seconds}]",
    example: "encoder -> stream.video",
    parameters: [
      .path("path", \.path, help: "The folder to write to; it is made where there is none."),
      .bool(
        "overwrite", \.overwrite, help: "Whether a stream that is there already is replaced."),
      .number(
        "segmentDuration", \.segmentDuration, in: 0.5...60, unit: "s",
        help: "The length of segments; encoders are asked for key frames there."),
      .number(
        "window", \.window, in: 0...86_400, unit: "s",
        help: "How much of a live stream is kept; 0 for all of it."),
      .bool("dash", \.dash, help: "Whether `manifest.mpd` lists the segments for DASH, too."),
      .number(
        "seconds", \.seconds, in: 0...31_536_000, unit: "s",
        help: "How long the stream gets; 0 for as long as its inputs go on."),
    ])

  /// The inputs of a stream.
  public struct Ports: PortSet {
    /// Video, a rendition each.
    public let video = InputPort<EncodedVideo>(
      "video", .encoded(.h264, .hevc), isRepeatable: true, isRequired: false,
      help: "Video; a rendition each, the second as `video.2`.")
    /// Audio, a rendition each.
    public let audio = InputPort<EncodedAudio>(
      "audio", .encoded(.aac, .opus, .ac3, .flac), isRepeatable: true, isRequired: false,
      help: "Audio; a rendition each, the second as `audio.2`.")
  }

  public static let ports = Ports()

  /// The files that the report names; segments aren't listed one by one.
  public var namedFiles: [NamedFile] {
    guard !path.isEmpty else { return [] }
    let names = [StreamFiles.master] + (dash ? [StreamFiles.manifest] : [])
    return names.map { NamedFile("\(path)/\($0)", key: "path", isWritten: true) }
  }

  private var folder: OutputFile { OutputFile(path, replaces: overwrite, isFolder: true) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try folder.check(in: environment)
    return []
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    guard !formats.isEmpty else {
      throw NodeError(
        "nothing is wired to the stream", remedy: "wire encoded video or audio to it")
    }
    var chain = ElementChain([], inputs: [:], outputs: [:])
    chain.output = StreamOutput(folder: folder.asked(of: environment), settings)
    for (port, format) in formats { chain.inputElements[port] = format.codecs.first?.parsers ?? [] }
    return [chain]
  }

  private var settings: StreamOutput.Settings {
    var settings = StreamOutput.Settings()
    settings.segmentDuration = Int64(segmentDuration * 1e9)
    settings.window = window > 0 ? Int64(window * 1e9) : nil
    settings.hasManifest = dash
    settings.creationTime = isLive ? ProcessTime.secondsSince1970 : nil
    return settings
  }

  public mutating func settle(isLive: Bool) { self.isLive = isLive }

  public var traits: NodeTraits {
    NodeTraits(
      maximumDuration: seconds > 0
        ? MediaTime(seconds: seconds, preferredTimescale: 1_000_000) : nil)
  }
}
