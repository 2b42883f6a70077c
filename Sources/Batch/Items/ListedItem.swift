/// An item as a list or a pattern names it: a file, and values for parameters of the graph.
package struct ListedItem: Hashable, Sendable {
  /// The file, as it is opened.
  package var input: String
  /// The file's path below the folder at which its pattern begins, for `{path}`.
  package var relativePath: String
  /// Values that the list itself gives to parameters.
  package var values: [String: String] = [:]
  /// The list and line, or the file.
  package var place: String

  /// A file that is named by its path.
  package init(_ input: String, values: [String: String] = [:], place: String? = nil) {
    self.input = input
    relativePath = Self.below(input)
    self.values = values
    self.place = place ?? input
  }

  /// A file that a pattern has found.
  init(_ input: String, relativePath: String) {
    self.init(input)
    self.relativePath = relativePath
  }

  /// A path that leads nowhere but downwards; of a URL, that below its host.
  private static func below(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." && $0 != ".." }
    let isURL = path.contains("://") && parts.first?.hasSuffix(":") == true
    return parts.dropFirst(isURL && parts.count > 2 ? 2 : 0).joined(separator: "/")
  }

  /// `a.mp3`
  package var name: String { relativePath.split(separator: "/").last.map(String.init) ?? input }

  /// `a`
  package var stem: String { name.withoutExtension }

  /// The folder of ``relativePath``; `.` where it has none.
  package var folder: String {
    relativePath.lastIndex(of: "/").map { String(relativePath[..<$0]) } ?? "."
  }
}

extension String {
  /// A name, or a path, without what is after its last dot.
  var withoutExtension: String {
    guard let dot = lastIndex(of: "."), dot != startIndex, self[index(before: dot)] != "/",
      !self[dot...].contains("/")
    else { return self }
    return String(self[..<dot])
  }
}
