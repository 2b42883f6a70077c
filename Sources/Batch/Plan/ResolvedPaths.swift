import GraphKitSystem

/// Which files paths lead to, through links, also where there is no file yet.
struct ResolvedPaths {
  /// Where folders are, by how they were named.
  private var folders: [ExactPath: String] = [:]

  /// The one path of a file: paths that lead to one file give the same.
  mutating func path(of path: String) -> String {
    if let place = File.resolvedPath(path) { return place }
    let name = String(path.reversed().drop { $0 == "/" }.reversed())
    return inside(folder(name.parentFolder), name.lastPart).normalPath
  }

  /// Where a folder is, or would be made.
  private mutating func folder(_ path: String) -> String {
    if let known = folders[ExactPath(path)] { return known }
    let place =
      File.resolvedPath(path)
      ?? (path == "." || path == "/" ? path : inside(folder(path.parentFolder), path.lastPart))
    folders[ExactPath(path)] = place
    return place
  }

  private func inside(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
