import GStreamer
import Synchronization
import GraphKitSystem

/// Node types from a shared library.
///
/// A plug-in is a Swift package with a dynamic library that depends on the product
/// `GraphKitPlugin` and has one entry point, whose name tells the version of this interface:
///
/// ```swift
/// @_cdecl("graphkit_plugin_1")
/// public func graphkitPlugin() {
///   Plugin.register(Invert.self)
/// }
/// ```
///
/// The library's code runs in the process that loads it, with all its rights. Plug-in and host are
/// to be built from the same version of GraphKit with the same compiler.
public enum Plugin {
  /// The version of the interface between hosts and plug-ins: the number in the name of the entry
  /// point. It grows whenever a plug-in that was built before would no longer work.
  public static let interfaceVersion = 1

  /// Offers a node type to the host. To be called from the entry point, on its thread; what is
  /// registered otherwise is counted among the types of the next plug-in.
  public static func register(_ type: (some Node).Type) {
    registered.withLock { $0.append(NodeType(type)) }
  }

  private static let registered = Mutex<[NodeType]>([])
  /// Two libraries that are loaded at once must not get each other's types.
  private static let loading = Mutex(())

  /// Loads a library; returns the node types that it has.
  ///
  /// It stays loaded for as long as the process lasts. Its entry point runs on the calling thread;
  /// two libraries are never loaded at once. Throws where the file can't be loaded, has no entry
  /// point of this version, or registers nothing.
  /// - Parameter path: the library's file; without a slash it is in the working directory.
  public static func load(_ path: String) throws(NodeError) -> [NodeType] {
    let library = try open(path)
    let types = try loading.withLock { _ throws(NodeError) -> [NodeType] in
      try call(library, path)
      return registered.withLock { types in
        defer { types = [] }
        return types
      }
    }
    guard !types.isEmpty else {
      throw NodeError(
        plugin: path, "registered no node type with this process",
        "link it against the product `GraphKitPlugin`, so that it has no GraphKit of its own")
    }
    return types
  }

  /// The plug-ins among the shared libraries of a folder, by name.
  ///
  /// What plug-ins need beside them, such as `libGraphKitPlugin.so`, is none: it has no entry point.
  package static func libraries(in folder: String) throws(NodeError) -> [String] {
    guard let names = Machine.readableNames(in: folder) else {
      throw NodeError(plugin: folder, "can't be read", "give a folder that may be read")
    }
    let paths = names.filter { $0.hasSuffix(".so") }.map {
      folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)"
    }
    var plugins: [String] = []
    for path in paths where try isPlugin(path) { plugins.append(path) }
    if plugins.isEmpty, let first = paths.first {
      throw NodeError(
        plugin: folder,
        "holds no plug-in: \(first) has no function `\(entryPoint(interfaceVersion))`",
        "give its entry point that name with `@_cdecl`")
    }
    return plugins
  }

  /// Whether a library has an entry point, for whatever version.
  private static func isPlugin(_ path: String) throws(NodeError) -> Bool {
    let library = try open(path)
    return (0..<100).contains { library.has(entryPoint($0)) }
  }

  private static func open(_ path: String) throws(NodeError) -> PluginLibrary {
    do { return try PluginLibrary(path) } catch {
      throw NodeError(
        plugin: path, "can't be loaded: \(error.text)", "give a plug-in's shared library")
    }
  }

  private static func call(_ library: PluginLibrary, _ path: String) throws(NodeError) {
    if library.call(entryPoint(interfaceVersion)) { return }
    guard let other = (0..<100).first(where: { library.has(entryPoint($0)) }) else {
      throw NodeError(
        plugin: path, "is no plug-in: it has no function `\(entryPoint(interfaceVersion))`",
        "give its entry point that name with `@_cdecl`")
    }
    throw NodeError(
      plugin: path,
      "is for version \(other) of the plug-in interface, and this is version "
        + "\(interfaceVersion)", "build it with the GraphKit of this program")
  }

  private static func entryPoint(_ version: Int) -> String { "graphkit_plugin_\(version)" }
}

extension NodeError {
  /// What is wrong with a plug-in.
  init(plugin path: String, _ message: String, _ remedy: String) {
    self.init("plug-in `\(path)` \(message)", remedy: remedy)
  }
}
