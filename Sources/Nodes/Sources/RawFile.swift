import GraphKit

/// The PCM of a file that doesn't say what it holds: samples from its first byte to its last, the
/// channels' in turn.
public struct RawFile: ElementNode {
  /// How a sample is stored: its kind, bits, and which of its bytes is the first.
  public enum Format: String, CaseIterable, Sendable {
    case s8, u8, s16le, s16be, s24le, s24be, s32le, s32be, f32le, f32be, f64le, f64be

    /// The format of the samples that leave the node, and whether the file's are the same.
    var samples: (format: SampleFormat, isSame: Bool) {
      switch self {
      case .s8: (.s16, false)
      case .u8: (.u8, true)
      case .s16le, .s16be: (.s16, self == .s16le)
      case .s24le, .s24be: (.s24, self == .s24le)
      case .s32le, .s32be: (.s32, self == .s32le)
      case .f32le, .f32be: (.f32, self == .f32le)
      case .f64le, .f64be: (.f64, self == .f64le)
      }
    }
  }

  /// The file.
  public var path = ""
  /// How a sample is stored.
  public var format = Format.s16le
  /// Samples a second of each channel.
  public var sampleRate = 48_000
  /// The number of channels.
  public var channels = 2
  private var byteCount = 0

  /// A file to be named.
  public init() {}

  public static let declaration = NodeDeclaration<RawFile>(
    "rawFile", role: .source, help: "The PCM of a file that has no header.",
    phrase: "read from {path}",
    example: "rawFile -> waveform",
    parameters: [
      .path("path", \.path, help: "The file: nothing but samples, the channels' in turn."),
      .choice("format", \.format, help: "How a sample is stored."),
      .integer(
        "sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz", help: "Sample frames a second."),
      .integer("channels", \.channels, in: 1...63, help: "The number of channels."),
    ])

  public static let ports = SourcePorts<Audio>(help: "The samples.")

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, FormatConstraint(.audio(audio)), help: "The samples.")]
  }

  private var audio: AudioFormat {
    AudioFormat(format.samples.format, sampleRate: sampleRate, channels: channels)
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    byteCount = try InputFile(path).byteCount
    guard byteCount < audio.bytesPerFrame else { return [] }
    throw NodeError(
      "`\(path)` is shorter than one sample", remedy: "give a file with audio", key: "path")
  }

  /// Samples in the machine's own order are read as they are, once the file has been found.
  public var work: NodeWork {
    guard byteCount > 0, format.samples.isSame else { return .elements(self) }
    return .replaced(
      by: PCMFileSource(
        PCMLocation(
          path: path, format: audio, offset: 0, frameCount: byteCount / audio.bytesPerFrame)))
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let raw = ElementSpec(
      "rawaudioparse", plugin: "rawparse",
      [
        "format": "pcm", "pcm-format": format.rawValue, "sample-rate": "\(sampleRate)",
        "num-channels": "\(channels)",
      ])
    return [
      ElementChain([
        ElementSpec("filesrc", plugin: "coreelements", ["location": path.propertyText]), raw,
        // Nothing is rounded away, so there is nothing for noise to hide.
        ElementSpec("audioconvert", plugin: "audioconvert", ["dithering": "none"]),
        .filter(FormatConstraint(.audio(audio))),
      ])
    ]
  }
}
