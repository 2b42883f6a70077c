import GraphKit

/// The files that a run has to do with, so that what a command writes beside it destroys none.
struct FilesInUse {
  private var uses: [(identity: FileIdentity, words: String)] = []
  private let environment: any Environment

  /// The graph's own files.
  init(graph: String, _ plan: Plan, in environment: any Environment) throws {
    self.environment = environment
    if graph != "-" { try claim(graph, "is the graph file", for: "graphctl") }
    for (node, path) in plan.inputs { add(path, "is what `\(node)` reads") }
    for (node, path) in plan.outputs {
      try claim(path, "is what `\(node)` writes", for: "`\(node)`")
    }
  }

  /// Takes a file to write; throws where it has another use.
  mutating func claim(_ path: String, _ words: String, for writer: String) throws {
    // Devices and pipes can be written by anyone.
    guard !path.hasPrefix("/dev/"), let identity = environment.identity(of: path) else { return }
    if let use = uses.first(where: { $0.identity == identity }) {
      throw CommandFailure(
        status: .badUsage,
        message: "graphctl: error: \(writer) can't write `\(path)`, which \(use.words); "
          + "give another path")
    }
    uses.append((identity, words))
  }

  private mutating func add(_ path: String, _ words: String) {
    if let identity = environment.identity(of: path) { uses.append((identity, words)) }
  }
}
