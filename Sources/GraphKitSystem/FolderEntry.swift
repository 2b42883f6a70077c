import Glibc

/// A name in a folder, and what has it.
package struct FolderEntry: Hashable, Sendable {
  /// The name; where it isn't UTF-8, as far as it can be shown.
  package var name: String
  /// Whether the name is UTF-8: no other can be opened by what Swift makes of it.
  package var isReadable: Bool
  /// Whether it is a folder, and no link to one.
  package var isFolder: Bool

  /// What a folder has, sorted by name; `nil` where it can't be read.
  package static func all(in folder: String) -> [FolderEntry]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(stream) }
    var entries: [FolderEntry] = []
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      let name = String(decoding: bytes, as: UTF8.self)
      guard name != ".", name != ".." else { continue }
      let isFolder = unsafe isFolder("\(folder)/\(name)", type: entry.pointee.d_type)
      entries.append(
        FolderEntry(name: name, isReadable: Array(name.utf8) == bytes, isFolder: isFolder))
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// Some file systems leave the type out.
  private static func isFolder(_ path: String, type: UInt8) -> Bool {
    let (unknown, folder): (UInt8, UInt8) = (0, 4)
    guard type == unknown else { return type == folder }
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// A pattern for one name in a folder, as shells have it: `*`, `?`, `[a-z]`.
package enum NamePattern {
  /// Whether a name fits. A dot at its beginning must be in the pattern, too.
  package static func matches(_ pattern: String, _ name: String) -> Bool {
    let periodIsSpecial: Int32 = 1 << 2
    return unsafe fnmatch(pattern, name, periodIsSpecial) == 0
  }

  /// Whether a text is a pattern rather than a name.
  package static func isPattern(_ text: String) -> Bool { text.contains { "*?[".contains($0) } }
}
