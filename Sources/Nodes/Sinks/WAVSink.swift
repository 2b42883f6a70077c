import Containers
import GraphKit
import GraphKitSystem

/// Writes PCM into a WAV file.
public struct WAVSink: ElementNode, FileSink {
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

  public static let declaration = NodeDeclaration<WAVSink>(
    "wavSink", role: .sink, help: "Writes PCM into a WAV file.",
    phrase: "written to {path}",
    example: "microphone -> wavSink",
    parameters: [
      .path("path", \.path, help: "The file to write."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .string("title", \.title, help: "The title, which many players of WAV show."),
      .record(
        "tags", \.tags,
        help:
          "What else it says of itself: { \(Self.tagNames.map(\.key).joined(separator: ", ")) }."),
    ])

  public static let ports = SinkPorts<Audio>(
    .audio([.s16, .f32, .s24, .s32, .u8, .f64], layouts: [.interleaved]),
    help: "What is to be written.")

  /// The keys of `tags` that are written (RIFF, LIST INFO), and GStreamer's names of them. `wavenc` (1.22)
  /// writes dates with colons, as no reader expects them.
  private static let tagNames: [(key: String, tag: String)] = [
    ("artist", "artist"), ("album", "album"), ("genre", "genre"),
    ("comment", "comment"), ("copyright", "copyright"), ("encoder", "encoder"),
  ]

  public var problem: NodeError? {
    let known = Self.tagNames.map(\.key)
    guard let other = tags.keys.first(where: { !known.contains($0) }) else { return tags.problem }
    return NodeError(
      "`\(other)` isn't written into WAV files",
      remedy: "leave it out; there are \(known.joined(separator: ", ")), and `title`",
      key: "tags.\(other)")
  }

  private var texts: [String: String] {
    var texts = title.isEmpty ? [:] : ["title": title]
    for (key, tag) in Self.tagNames {
      texts[tag] = tags.texts[key].flatMap { $0.isEmpty ? nil : $0 }
    }
    return texts
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var encoder = ElementSpec("wavenc", plugin: "wavenc")
    encoder.tags = texts
    // Where no audio comes it writes its head before all else.
    encoder.groundlessComplaints = ["Got data flow before segment event"]
    var chain = ElementChain([encoder, .fileWriter], outputs: [:])
    let speakers = Monitor(Speakers())
    // `wavenc` (1.22) writes what the newest tags say: a file's, or those of its stream.
    chain.filters["in"] = [
      .gatheredTags,
      .samples { sample in
        guard case .audio(let audio) = sample.format.format else { return }
        speakers.withLock { $0 = audio.speakers }
      },
    ]
    chain.writtenFilters = [
      .samples { bytes in
        // With room for the sizes of a file beyond 4 GiB.
        let head = bytes.withBytes { head in
          WAVSizes.withRoom(head, speakers: speakers.withLock { $0 })
        }
        if let head { bytes = SampleBuffer(bytes: head, format: bytes.format) }
      }
    ]
    chain.output = WAVOutput(place: file.asked(of: environment))
    return [chain]
  }

}

/// A WAV file, whose sizes need more bits where it has more than 4 GiB.
private struct WAVOutput: FileOutput {
  let place: OutputFile
  var file: OutputFile? { place }

  func finish(_ tracks: [OutputTrack]) throws(NodeError) { try WAVSizes.complete(place.path) }
}

extension ElementSpec {
  /// What writes an open file. The pipeline plays without waiting for its first bytes: a track that
  /// is late, or never comes, must not hold up the other files.
  static let fileWriter = ElementSpec("fdsink", plugin: "coreelements", ["async": "false"])
}
