import GraphKit

/// Writes video and audio into an MPEG transport stream.
///
/// What is written plays whatever ends the process, and files that follow each other can be joined by
/// their bytes.
public struct TSSink: ElementNode, FileSink {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// How long the stream gets, in seconds; 0 for as long as its inputs go on.
  public var seconds = 0.0
  /// The languages of tracks by their ports, as BCP 47 has them.
  public var languages: [String: JSONValue] = [:]

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<TSSink>(
    "tsSink", role: .sink, help: "Writes an MPEG transport stream.",
    phrase: "written to {path}",
    example: "encoder -> broadcast.video",
    parameters: [
      .path("path", \.path, help: "The file to write: .ts, or .m2ts and .mts for discs."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .number(
        "seconds", \.seconds, in: 0...31_536_000, unit: "s",
        help: "How long the stream gets; 0 for as long as its inputs go on."),
      .object(
        "languages", \.languages, help: "Of tracks by their ports: { \"audio\": \"de\" }."),
    ])

  public static let ports = TransportPorts()

  private var ending: Substring {
    let name = path.split(separator: "/").last ?? ""
    return name.contains(".") ? name.split(separator: ".").last ?? "" : ""
  }

  public var problem: NodeError? {
    // A path that isn't given yet is reported by another rule.
    guard path.isEmpty || ["ts", "m2ts", "mts"].contains(ending.lowercased()) else {
      return NodeError(
        "`\(path)` is not named as a transport stream", remedy: "end it in .ts, .m2ts or .mts",
        key: "path")
    }
    return TrackLanguages(languages).problem
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    TrackLanguages(languages).problem(formats: formats) ?? .turned(in: formats)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let muxer = TransportMuxer(languages: TrackLanguages(languages).tags)
    var properties: [String: String] = [:]
    if ending.lowercased() != "ts" { properties["m2ts-mode"] = "true" }
    var chain = try muxer.chain(formats, properties, to: [.fileWriter])
    chain.output = TransportOutput(
      file: file.asked(of: environment))
    return [chain]
  }

  public var traits: NodeTraits {
    NodeTraits(
      needsUprightVideo: true,
      maximumDuration: seconds > 0
        ? MediaTime(seconds: seconds, preferredTimescale: 1_000_000) : nil)
  }
}
