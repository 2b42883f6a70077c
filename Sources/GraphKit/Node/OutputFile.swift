/// A file that a sink writes.
///
/// It is made, or opened, when the run begins. What is in it already stays until the first bytes
/// come, so that a run that fails before them has cost nothing. No two runs write one file.
public struct OutputFile: Hashable, Sendable {
  /// Where it goes.
  public var path: String
  /// Whether a file that is there already is replaced.
  public var replaces: Bool

  /// A file to write.
  public init(_ path: String, replaces: Bool) {
    self.path = path
    self.replaces = replaces
  }

  /// Looks at where the file is to go, before anything runs.
  public func check(in environment: any Environment) throws(NodeError) {
    switch environment.outputPlace(path) {
    case .free: return
    case .file where replaces || environment.replacesFiles: return
    case .file: throw isThere
    case .blocked(let reason): throw unwritable(reason)
    }
  }

  /// The file as the graph and the command line together have it.
  public func asked(of environment: any Environment) -> OutputFile {
    OutputFile(path, replaces: replaces || environment.replacesFiles)
  }

  var isThere: NodeError {
    NodeError(
      "`\(path)` is there already",
      remedy: "give another path, `--overwrite`, or `\"overwrite\": true`", key: "path")
  }

  func unwritable(_ reason: String) -> NodeError {
    NodeError("`\(path)` can't be written: \(reason)", remedy: "give another path", key: "path")
  }
}
