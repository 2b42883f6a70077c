import ArgumentParser
import GraphKit

/// `graphctl check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a graph, and say all that is wrong with it.")

  @OptionGroup var graph: GraphOptions
  @OptionGroup var files: OverwriteOption
  @Option(help: "How to write the result.") var format = OutputFormat.text

  func run() throws {
    do {
      try report(graph.checked(in: files.environment))
    } catch let refused as CommandFailure {
      guard format == .json, let list = refused.graphErrors else { throw refused }
      try Console.json(
        CheckResult(
          file: graph.name, isValid: false, diagnostics: list.diagnostics, omitted: list.omitted))
      throw CommandFailure(status: refused.status, message: "")
    }
  }

  private func report(_ checked: Graph) throws {
    if format == .json {
      return try Console.json(
        CheckResult(
          file: graph.name, isValid: true, diagnostics: checked.warnings, notices: checked.notices))
    }
    Console.tell(checked)
    let (nodes, wires) = (checked.nodes.count, checked.wires.count)
    try Console.data(
      "\(graph.name): OK: \(nodes) node\(nodes == 1 ? "" : "s"), "
        + "\(wires) wire\(wires == 1 ? "" : "s")")
  }
}

/// What `graphctl check --format json` writes.
private struct CheckResult: Encodable {
  var file: String
  var isValid: Bool
  var diagnostics: [Diagnostic]
  /// How many more diagnostics there were.
  var omitted = 0
  var notices: [Notice] = []
}
