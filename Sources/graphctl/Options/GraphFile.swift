import GStreamer
import GraphKit
import Nodes
import GraphKitSystem

/// A graph's file, and what the command line says about it.
struct GraphFile {
  /// Where the file is; `-` for standard input.
  var path: String
  var settings: [Setting] = []
  /// Shared libraries with further node types.
  var plugins: [String] = []

  /// The graph's name in messages.
  var name: String { path == "-" ? "standard input" : path }

  /// The graph with all that it takes to check it.
  func text() throws -> GraphText {
    GraphText(
      name: name, bytes: try read(), settings: settings,
      catalog: try Catalog(plugins: plugins))
  }

  /// A byte more than a graph file may have is enough to refuse it.
  private static let limit = 1 << 20 + 1

  private func read() throws -> [UInt8] {
    do throws(File.Failure) {
      if path == "-" { return try StandardStream.input.read(limit: Self.limit) }
      return try File(path).read(at: 0, count: Self.limit)
    } catch {
      throw CommandFailure(
        status: .noInput,
        message: "\(path): error: the graph file can't be read: \(error.text); "
          + "give the path of a graph file, or - for standard input")
    }
  }
}

extension Catalog {
  /// The built-in node types, those of `GRAPHKIT_PLUGIN_PATH`, and those of `plugins`.
  init(plugins: [String]) throws {
    self = .builtIn
    do throws(NodeError) {
      for path in try Self.environmentPlugins() + plugins { try load(plugin: path) }
    } catch {
      throw CommandFailure(status: .unavailable, message: "graphctl: error: \(error)")
    }
  }

  private static func environmentPlugins() throws(NodeError) -> [String] {
    let places = Machine.variable("GRAPHKIT_PLUGIN_PATH")?.split(separator: ":") ?? []
    var paths: [String] = []
    for place in places.map(String.init) {
      paths += File.isFolder(place) ? try Plugin.libraries(in: place) : [place]
    }
    return paths
  }
}
