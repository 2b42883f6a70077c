import ArgumentParser
import GraphKit

/// Which node types there are.
struct CatalogOptions: ParsableArguments {
  @Option(
    name: .customLong("plugin"),
    help: ArgumentHelp(
      "Load node types from a shared library.",
      discussion: "May be given several times. GRAPHKIT_PLUGIN_PATH is a list of such libraries, "
        + "or of folders of them, with colons between.", valueName: "library"),
    completion: .file(extensions: ["so"]))
  var plugins: [String] = []

  /// The built-in node types and those of plug-ins.
  func catalog() throws -> Catalog { try Catalog(plugins: plugins) }
}
