import Media

/// Looks into files whose index GraphKit reads itself, whichever container they are.
public enum ContainerReader {
  private static let endings = [".mp4", ".m4v", ".m4a", ".m4b", ".mov", ".cmfv", ".cmfa"]
  private static let matroskaEndings = [".mkv", ".mka", ".webm"]
  private static let transportEndings = [".ts", ".m2ts", ".mts"]

  /// What a file's index says; `nil` for one that isn't named as a container that can be read.
  public static func read(_ path: String) throws(NodeError) -> ContainerSummary? {
    let name = path.lowercased()
    if matroskaEndings.contains(where: { name.hasSuffix($0) }) {
      return try MatroskaReader.read(path)
    }
    if transportEndings.contains(where: { name.hasSuffix($0) }) {
      return try TransportReader.read(path)
    }
    guard endings.contains(where: { name.hasSuffix($0) }) else { return nil }
    return try MovieReader.read(path)
  }
}
