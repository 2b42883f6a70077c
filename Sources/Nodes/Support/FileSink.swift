import GraphKit

/// A sink that writes one file, whose place a graph says by two parameters.
protocol FileSink: Node {
  /// The file.
  var path: String { get }
  /// Whether a file that is there already is replaced.
  var overwrite: Bool { get }
}

extension FileSink {
  /// The file, as the graph alone has it.
  var file: OutputFile { OutputFile(path, replaces: overwrite) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try file.check(in: environment)
    return []
  }
}
