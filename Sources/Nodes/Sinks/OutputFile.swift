import GraphKit

extension NodeError {
  /// Looks at where a file is to go, before anything runs.
  static func check(outputPath path: String, overwrite: Bool, in environment: any Environment)
    throws(NodeError)
  {
    switch environment.outputPlace(path) {
    case .free: return
    case .file where overwrite: return
    case .file:
      throw NodeError(
        "`\(path)` is there already",
        remedy: "give another path, `--overwrite`, or `\"overwrite\": true`", key: "path")
    case .blocked(let reason):
      throw NodeError(
        "`\(path)` can't be written: \(reason)", remedy: "give another path", key: "path")
    }
  }
}
