import GStreamer

extension LiveEnvironment {
  /// The streams of a file, which a process of its own looks into.
  public func discover(isolated input: IsolatedInput) throws(NodeError) -> (
    streams: [DiscoveredStream], shortfall: String?
  ) {
    var input = input
    input.path = input.path.localPath
    let found = try IsolatedReader(input, []).streams()
    guard found.streams.isEmpty else { return found }
    throw NodeError(
      "`\(input.path)` has no streams", remedy: "give a file with audio or video", key: "path")
  }

  /// Sees to it that all plug-ins are known, so that no file is looked for later but those of the
  /// plug-ins that are used.
  package static func knowAllPlugins() { Library.start(plugins: nil) }
}
