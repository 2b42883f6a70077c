import GraphKit

/// Writes how bright the newest frames are, a line each, into a file that it closes itself.
///
/// It is given the newest frame only, holds up nothing, and takes so many frames and no more.
struct BrightnessLog: SwiftNode {
  /// The file.
  var path = ""
  /// Whether a file that is there already is replaced.
  var overwrite = false
  /// The number of lines; 0 for as many as come.
  var lines = 0
  private var values: [Int] = []

  static let declaration = NodeDeclaration<BrightnessLog>(
    "brightnessLog", role: .sink, help: "Writes how bright the newest frames are.",
    example: "camera -> brightnessLog",
    parameters: [
      .path("path", \.path, help: "The file to write, a number from 0 to 255 on each line."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .integer("lines", \.lines, in: 0...1_000_000, help: "How many lines; 0 for all that come."),
    ])

  static let ports = SinkPorts<Video>(.video([.bgra]), help: "What is looked at.")

  var traits: NodeTraits { NodeTraits(takesNewestOnly: true) }

  mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try OutputFile(path, replaces: overwrite).check(in: environment)
    return []
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard lines == 0 || values.count < lines else { throw FlowStopped.enough }
    let (sum, count) = sample.withBytes { bytes in
      (bytes.indices.reduce(0) { $0 + Int(bytes[$1]) }, max(1, bytes.count))
    }
    values.append(sum / count)
  }

  mutating func finish(to outputs: NodeOutputs) throws {
    var file = try WholeFile(path)
    try file.write(Array(values.map { "\($0)\n" }.joined().utf8))
    try file.complete()
  }
}

/// What a host calls once it has loaded the library.
@_cdecl("graphkit_plugin_1")
public func graphkitPlugin() { Plugin.register(BrightnessLog.self) }
