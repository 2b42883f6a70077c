import GraphKit

/// The texts of a file of subtitles, at their times: SubRip (.srt), WebVTT (.vtt), ASS or SSA.
///
/// The file is in UTF-8. What says how the texts look is left out, and texts that overlap are one of
/// several lines for that time.
public struct Subtitles: SourceNode {
  /// The file.
  public var path = ""
  private var file: SubtitleFile?
  private var next = 0

  /// A source whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<Subtitles>(
    "subtitles", role: .source, help: "The texts of a file of subtitles, at their times.",
    phrase: "read from {path}",
    example: "subtitles -> movie.text",
    parameters: [.path("path", \.path, help: "An SRT, WebVTT or ASS file, in UTF-8.")])

  public static let ports = SourcePorts<TimedText>(help: "The texts.")

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    let file = try SubtitleFile(path)
    self.file = file
    return file.warnings
  }

  public mutating func start(to outputs: NodeOutputs) throws {
    file = try file ?? SubtitleFile(path)
    next = 0
    try outputs.announce(try Self.format(), on: 0)
  }

  private static func format() throws(NodeError) -> FormatDescription {
    try FormatDescription(capsText: "text/x-raw, format=(string)utf8")
  }

  public mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard let subtitles = file?.subtitles, next < subtitles.count else { return false }
    let subtitle = subtitles[next]
    next += 1
    var sample = SampleBuffer(bytes: Array(subtitle.text.utf8), format: try Self.format())
    sample.presentationTime = MediaTime(value: Int64(subtitle.start), timescale: 1_000)
    sample.duration = MediaTime(value: Int64(subtitle.end - subtitle.start), timescale: 1_000)
    try outputs.send(sample)
    return next < subtitles.count
  }
}
