/// A file that a sink writes, or a folder of files.
///
/// It is made, or opened, when the run begins. What is in it already stays until the first sample has
/// come and bytes are written, so that a run that fails before that has cost nothing. No two runs write
/// one file.
public struct OutputFile: Hashable, Sendable {
  /// Where it goes.
  public var path: String
  /// Whether a file that is there already is replaced.
  public var replaces: Bool
  /// Whether it is a folder of files, which is made where there is none.
  public var isFolder: Bool

  /// A file to write, or a folder of files.
  public init(_ path: String, replaces: Bool, isFolder: Bool = false) {
    self.path = path
    self.replaces = replaces
    self.isFolder = isFolder
  }

  /// Looks at where the file is to go, before anything runs.
  public func check(in environment: any Environment) throws(NodeError) {
    let isReplaced = replaces || environment.replacesFiles
    switch environment.outputPlace(path) {
    case .free: return
    case .file where isFolder: throw unwritable("a file has that name")
    case .file where isReplaced: return
    case .folder where !isFolder: throw unwritable("it is a folder")
    case .folder where isReplaced || environment.names(in: path).isEmpty: return
    case .file, .folder: throw isThere
    case .blocked(let reason): throw unwritable(reason)
    }
  }

  /// The file as the graph and the command line together have it.
  public func asked(of environment: any Environment) -> OutputFile {
    OutputFile(path, replaces: replaces || environment.replacesFiles, isFolder: isFolder)
  }

  var isThere: NodeError {
    NodeError(
      isFolder ? "the folder `\(path)` isn't empty" : "`\(path)` is there already",
      remedy: "give another path, `--overwrite`, or `\"overwrite\": true`", key: "path")
  }

  func unwritable(_ reason: String) -> NodeError {
    NodeError("`\(path)` can't be written: \(reason)", remedy: "give another path", key: "path")
  }
}
