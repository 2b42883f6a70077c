import GraphKitSystem

/// The files that a pattern such as `media/**/*.mp3` stands for.
///
/// `*`, `?` and `[a-z]` stand for parts of a name, `**` for any folders, also none. Names that begin
/// with a dot must be asked for. Links to folders are followed only where they are named.
struct ItemPattern {
  private let pattern: String
  private var found: [ExactPath: String] = [:]
  private var unreadable: [String] = []
  private let base: String

  /// What the pattern stands for, sorted by name.
  static func items(_ pattern: String) throws(BatchError) -> [ListedItem] {
    let parts = pattern.split(separator: "/").map(String.init)
    let fixed = parts.prefix { !NamePattern.isPattern($0) }
    let root = pattern.hasPrefix("/") ? "/" : ""
    var search = ItemPattern(pattern: pattern, base: root + fixed.joined(separator: "/"))
    search.look(below: "", parts.dropFirst(fixed.count))
    return try search.items()
  }

  private init(pattern: String, base: String) { (self.pattern, self.base) = (pattern, base) }

  private func items() throws(BatchError) -> [ListedItem] {
    guard unreadable.isEmpty else {
      throw BatchError(
        .noInput,
        unreadable.map {
          BatchProblem(
            place($0), "the name isn't UTF-8",
            remedy: "rename the file, or make a link to it whose name is")
        })
    }
    guard !found.isEmpty else {
      throw BatchError(
        .noInput, pattern, "no file has such a name",
        remedy: "give a file that is there, or a pattern such as 'media/**/*.mp3'")
    }
    let names = found.values.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return names.map { ListedItem(place($0), relativePath: $0) }
  }

  private func place(_ relative: String) -> String {
    if base.isEmpty { return relative }
    return base.hasSuffix("/") || relative.isEmpty ? base + relative : "\(base)/\(relative)"
  }

  private mutating func look(below folder: String, _ parts: ArraySlice<String>) {
    guard let part = parts.first else { return }
    let rest = parts.dropFirst()
    let path = place(folder)
    let entries = FolderEntry.all(in: path.isEmpty ? "." : path) ?? []
    if part == "**" {
      look(below: folder, rest.isEmpty ? ["*"] : rest)
      for entry in entries where entry.isFolder && !entry.name.hasPrefix(".") {
        look(below: Self.join(folder, entry.name), parts)
      }
      return
    }
    for entry in entries where NamePattern.matches(part, entry.name) {
      take(Self.join(folder, entry.name), entry, rest)
    }
  }

  private mutating func take(
    _ path: String, _ entry: FolderEntry, _ rest: ArraySlice<String>
  ) {
    guard entry.isReadable else { return unreadable.append(path) }
    let isFolder = entry.isFolder || File.isFolder(place(path))
    if rest.isEmpty {
      if !isFolder { found[ExactPath(path)] = path }
    } else if isFolder {
      look(below: path, rest)
    }
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : "\(folder)/\(name)"
  }
}
