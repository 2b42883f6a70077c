import GraphKit

/// Writes what was measured of a stream: a JSON object on a line of its own for each measurement.
///
/// The file has its name only once it is whole.
public struct MeasurementSink: SwiftNode, FileSink {
  /// The file; `-` is standard output.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  private var lines: [UInt8] = []

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<MeasurementSink>(
    "measurementSink", role: .sink, help: "Writes measurements, a JSON object on each line.",
    phrase: "written to {path}",
    example: "loudness -> measurementSink",
    parameters: [
      .path("path", \.path, help: "The file to write; `-` for standard output."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
    ])

  public static let ports = SinkPorts<Measurement>(help: "What was measured.")

  public var traits: NodeTraits { NodeTraits(writesStandardOutput: writesStandardOutput) }

  private var writesStandardOutput: Bool { path == WholeFile.standardOutput }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    guard !writesStandardOutput else { return [] }
    try file.check(in: environment)
    return []
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    sample.withBytes { bytes in
      for index in bytes.indices { lines.append(bytes[index]) }
    }
    lines.append(UInt8(ascii: "\n"))
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    guard !lines.isEmpty else {
      throw NodeError(
        "nothing came before the end, so there is nothing to write",
        remedy: "look at what leads to the sink", key: "in")
    }
    var file = try WholeFile(path)
    try file.write(lines)
    try file.complete()
    lines = []
  }
}
