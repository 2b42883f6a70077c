import GStreamer
import GraphKit
import Nodes

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
    for path in Self.environmentPlugins + plugins {
      do { try load(plugin: path) } catch {
        throw CommandFailure(status: .unavailable, message: "graphctl: error: \(error)")
      }
    }
  }

  private static var environmentPlugins: [String] {
    let places = Machine.variable("GRAPHKIT_PLUGIN_PATH")?.split(separator: ":") ?? []
    return places.map(String.init).flatMap { place in
      guard File.isFolder(place) else { return [place] }
      return Machine.names(in: place).filter { $0.hasSuffix(".so") }.map { "\(place)/\($0)" }
    }
  }
}
