import Containers
import GraphKit

/// Writes PCM into an AIFF file.
public struct AIFFSink: ElementNode, FileSink {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// The title; empty for none.
  public var title = ""
  /// What else the file says of itself.
  public var tags = MovieLabels()

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<AIFFSink>(
    "aiffSink", role: .sink, help: "Writes PCM into an AIFF file.",
    phrase: "written to {path}",
    example: "microphone -> aiffSink",
    parameters: [
      .path("path", \.path, help: "The file to write."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .string("title", \.title, help: "The title that players show."),
      .record("tags", \.tags, help: "What else it says of itself: { \"artist\", \"album\", … }."),
    ])

  public static let ports = SinkPorts<Audio>(
    .audio([.s16, .s24, .s32], layouts: [.interleaved]), help: "What is to be written.")

  public var problem: NodeError? { tags.problem }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let order = [SampleFormat.s16: "S16BE", .s24: "S24BE", .s32: "S32BE"]
    let format = order[formats["in"]?.sampleFormats.first ?? .s16] ?? "S16BE"
    var chain = ElementChain(
      [
        // Samples have their highest byte first in the file.
        ElementSpec("audioconvert", plugin: "audioconvert"),
        ElementSpec(
          "capsfilter", plugin: "coreelements", ["caps": "audio/x-raw, format=(string)\(format)"]),
        ElementSpec("aiffmux", plugin: "aiff"), .fileWriter,
      ], outputs: [:])
    var labels = MovieTags()
    labels.texts = tags.tags
    if !title.isEmpty { labels.texts["title"] = title }
    chain.output = AIFFOutput(
      place: file.asked(of: environment), tags: labels)
    return [chain]
  }
}

/// An AIFF file, which gets its tags once its audio is there.
private struct AIFFOutput: FileOutput {
  let place: OutputFile
  let tags: MovieTags
  var file: OutputFile? { place }

  func finish(_ tracks: [OutputTrack]) throws(NodeError) {
    try AIFFSizes.check(place.path)
    try AIFFTags.append(tags, to: place.path)
  }
}
