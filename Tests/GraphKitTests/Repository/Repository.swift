import Foundation

/// The files of this repository.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file's text, by its path from the root.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The files of a folder and those below it that end in a suffix, by path from the root.
  static func files(in folder: String, suffix: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    let names = (found?.allObjects ?? []).compactMap { $0 as? String }
    return names.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
  }

  /// Every Swift file of `Sources`.
  static let sources = files(in: "Sources", suffix: ".swift")
}

/// A line of a file.
struct SourceLine: CustomStringConvertible {
  var file: String
  var number: Int
  var text: String

  var description: String { "\(file):\(number): \(text)" }

  /// The lines of some files, without what follows `//` in them.
  static func code(of files: [String]) throws -> [SourceLine] {
    try files.flatMap { file in
      try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated().map { number, text in
          let code = text.range(of: "//").map { text[..<$0.lowerBound] } ?? text[...]
          return SourceLine(file: file, number: number + 1, text: String(code))
        }
    }
  }

  /// The module that the line imports; `nil` where it imports none.
  var importedModule: Substring? {
    // Most lines are indented, and no import is.
    guard text.first?.isWhitespace == false else { return nil }
    let words = text.split(whereSeparator: { $0 == " " || $0 == "." })
    guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
      words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.access.contains($0) })
    else { return nil }
    return words[place + 1]
  }

  private static let access: Set<Substring> = ["public", "package", "internal", "private"]
}
