import GraphKit
import GraphKitSystem

/// Decodes audio that comes through a pipe, as it comes: what another program writes, or an upload.
///
/// Nothing is known of it before it comes, and it is read once, from front to back: formats whose index
/// is behind their samples can't be read so, nor do edit lists and tags at a file's end count. Where the
/// same bytes are in a file, ``FileSource`` knows more.
public struct PipeSource: ElementNode {
  /// A FIFO, or `-` for the standard input.
  public var path = "-"
  /// The reading end of a pipe, which stays open until the run has ended; `nil` for what ``path`` says.
  public var descriptor: Int32?

  /// The standard input.
  public init() {}

  public static let declaration = NodeDeclaration<PipeSource>(
    "pipe", role: .source, help: "Decodes audio that comes through a pipe, as it comes.",
    phrase: "read from the pipe {path} and decoded",
    example: "pipe -> waveform",
    parameters: [
      .string("path", \.path, help: "A FIFO, or `-` for the standard input.")
    ])

  public static let ports = SourcePorts<Audio>(help: "The audio.")

  public var traits: NodeTraits { NodeTraits(leavesFormatToRun: true, isReadOnce: true) }

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, Self.format, help: "The audio.")]
  }

  /// One that holds the samples of nearly all files as they are.
  private static let format = FormatConstraint.audio([.f32], layouts: [.interleaved])

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    // What it plugs together depends on what comes, so all plug-ins must be known.
    var decoder = ElementSpec(
      "decodebin", plugin: nil, ["caps": "audio/x-raw", "expose-all-streams": "false"])
    decoder.showsLater = true
    let conversion = [
      ElementSpec("audioconvert", plugin: "audioconvert", ["dithering": "none"]),
      .filter(Self.format),
    ]
    let pipe = isFIFO ? ReadingEnd(path) : nil
    var chain = ElementChain([source(pipe), decoder] + conversion, inputs: [:])
    // It is open as long as the pad is there.
    if let pipe { chain.filters["out"] = [.samples { _ in withExtendedLifetime(pipe) {} }] }
    return [chain]
  }

  private var isFIFO: Bool { descriptor == nil && path != "-" && File.isPipe(path) }

  /// What reads the bytes. An element that opened a FIFO itself would hold up the run, and all other
  /// sources, until something writes that.
  private func source(_ pipe: ReadingEnd?) -> ElementSpec {
    guard let descriptor = descriptor ?? pipe?.descriptor ?? (path == "-" ? 0 : nil) else {
      return ElementSpec("filesrc", plugin: "coreelements", ["location": path.propertyText])
    }
    return ElementSpec("fdsrc", plugin: "coreelements", ["fd": "\(descriptor)"])
  }
}
