import ArgumentParser
import GStreamer
import GraphKit
import Nodes

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
  func catalog() throws -> Catalog {
    var catalog = Catalog.builtIn
    for path in environmentPlugins + plugins {
      do { try catalog.load(plugin: path) } catch {
        throw CommandFailure(status: .unavailable, message: "graphctl: error: \(error)")
      }
    }
    return catalog
  }

  private var environmentPlugins: [String] {
    let places = Machine.variable("GRAPHKIT_PLUGIN_PATH")?.split(separator: ":") ?? []
    return places.map(String.init).flatMap { place in
      guard File.isFolder(place) else { return [place] }
      return Machine.names(in: place).filter { $0.hasSuffix(".so") }.map { "\(place)/\($0)" }
    }
  }
}
