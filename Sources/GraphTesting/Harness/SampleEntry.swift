import GraphKit

/// Where an ``ElementHarness`` puts samples in.
public struct SampleEntry: EntryNode {
  /// The caps of the samples.
  public var caps = "audio/x-raw, format=F32LE, layout=interleaved, rate=48000, channels=2"

  /// An entry for stereo audio.
  public init() {}

  /// An entry for samples of a format.
  public init(_ format: FormatDescription) { caps = format.capsText }

  public static let declaration = NodeDeclaration<SampleEntry>(
    "sampleEntry", role: .source, help: "Where a test puts samples in.",
    example: "sampleEntry -> gain",
    parameters: [.string("caps", \.caps, help: "The caps of the samples.")])

  public static let ports = SourcePorts<AnyMedia>(help: "The samples.")

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, entryFormat.constraint, help: "The samples.")]
  }

  public var entryFormat: MediaFormat { MediaFormat(capsText: caps) }

  public func entryDescription() throws(NodeError) -> FormatDescription {
    try FormatDescription(capsText: caps)
  }
}

/// Where an ``ElementHarness`` takes samples out.
public struct SampleExit: ExitNode {
  /// An exit for anything.
  public init() {}

  public static let declaration = NodeDeclaration<SampleExit>(
    "sampleExit", role: .sink, help: "Where a test takes samples out.",
    example: "gain -> sampleExit")

  public static let ports = SinkPorts<AnyMedia>(help: "The samples.")
}

extension MediaFormat {
  /// All that is known, as a constraint.
  fileprivate var constraint: FormatConstraint {
    switch self {
    case .audio(let audio):
      return .audio(
        [audio.sampleFormat], layouts: [audio.layout], sampleRates: [audio.sampleRate],
        channels: [audio.channels])
    case .video(let video):
      return .video(
        [video.pixelFormat], width: video.width, height: video.height,
        frameRate: video.frameRate)
    case .encoded(let encoded): return .encoded(encoded.codec)
    case .peaks: return FormatConstraint(MediaKind.peaks)
    case .measurement: return FormatConstraint(MediaKind.measurement)
    case .other: return FormatConstraint(kind)
    }
  }
}
