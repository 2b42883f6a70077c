import ArgumentParser
import GStreamer
import GraphKit

/// Which graph a command is about, and the way from its file to its plan.
struct GraphOptions: ParsableArguments {
  @Argument(help: "The graph file; - for standard input.", completion: .file(extensions: ["json"]))
  var graph: String

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Give one of the graph's parameters a value.", discussion: "May be given several times.",
      valueName: "name=value"), transform: Setting.init)
  var settings: [Setting] = []

  @OptionGroup var types: CatalogOptions

  /// The graph's file, and what is said about it.
  var file: GraphFile { GraphFile(path: graph, settings: settings, plugins: types.plugins) }

  /// The graph's name in messages.
  var name: String { file.name }

  /// Reads and checks the graph. Where it is wrong, the failure says all that is.
  func checked(in environment: any Environment) throws -> Graph {
    try file.text().checked(in: environment)
  }

  /// The graph and its plan; warnings and notes go to standard error.
  func planned(in environment: any Environment) throws -> (Graph, Plan) {
    try file.text().planned(in: environment)
  }
}
