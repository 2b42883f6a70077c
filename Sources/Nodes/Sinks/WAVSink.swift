import GraphKit

/// Writes PCM into a WAV file.
public struct WAVSink: ElementNode {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<WAVSink>(
    "wavSink", role: .sink, help: "Writes PCM into a WAV file.",
    phrase: "written to {path}",
    example: "microphone -> wavSink",
    parameters: [
      .path("path", \.path, help: "The file to write."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
    ])

  public static let ports = SinkPorts<Audio>(
    .audio([.s16, .f32, .s24, .s32, .u8, .f64], layouts: [.interleaved]),
    help: "What is to be written.")

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try OutputFile(path, replaces: overwrite).check(in: environment)
    return []
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain(
      [ElementSpec("wavenc", plugin: "wavenc"), .fileWriter], outputs: [:])
    chain.output = OutputFile(path, replaces: overwrite).asked(of: environment)
    return [chain]
  }
}

extension ElementSpec {
  /// What writes an open file. The pipeline plays without waiting for its first bytes: a track that
  /// is late, or never comes, must not hold up the other files.
  static let fileWriter = ElementSpec("fdsink", plugin: "coreelements", ["async": "false"])
}
