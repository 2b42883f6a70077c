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

  /// The graph's name in messages.
  var name: String { graph == "-" ? "standard input" : graph }

  /// The graph with all that it takes to check it.
  func text() throws -> GraphText {
    GraphText(name: name, bytes: try read(), settings: settings, catalog: try types.catalog())
  }

  /// Reads and checks the graph. Throws ``RefusedGraph`` where it is wrong.
  func checked(in environment: any Environment) throws -> Graph {
    try text().checked(in: environment)
  }

  /// The graph and its plan, with all that a person should know told.
  func planned(in environment: any Environment, isQuiet: Bool = false) throws -> (Graph, Plan) {
    try text().planned(in: environment, isQuiet: isQuiet)
  }

  /// A byte more than a graph file may have is enough to refuse it.
  private static let limit = 1 << 20 + 1

  private func read() throws -> [UInt8] {
    do throws(File.Failure) {
      if graph == "-" { return try StandardStream.input.read(limit: Self.limit) }
      return try File(graph).read(at: 0, count: Self.limit)
    } catch {
      throw CommandFailure(
        status: .noInput,
        message: "\(graph): error: the graph file can't be read: \(error.text); "
          + "give the path of a graph file, or - for standard input")
    }
  }
}
