import TestTools
import Testing

/// Everything public has its line of documentation, but for what a protocol documents already.
///
/// The formatter's rule for this can't tell what only fulfils a protocol's requirement, so it is
/// off, and the names of those requirements are read from the protocols.
@Suite(.inTurn) struct DocumentedTests {
  /// What the public protocols of GraphKit ask for, and those of the standard library; nothing for
  /// an operator.
  private static func requirements() throws -> Set<Substring> {
    let pattern = /^  (?:static |mutating )*(?:func|var) (\w+)/
    var names: Set<Substring> = ["description", "hash", ""]
    for file in Repository.sources
    where file.hasPrefix("Sources/GraphKit/") || file.hasPrefix("Sources/Media/") {
      var isInside = false
      for line in try Repository.text(file).split(separator: "\n") {
        if line.hasPrefix("public protocol ") { isInside = true }
        if line.hasPrefix("}") { isInside = false }
        if isInside, let match = line.prefixMatch(of: pattern) { names.insert(match.1) }
      }
    }
    return names
  }

  @Test(arguments: [
    "Sources/JSON/", "Sources/Media/", "Sources/Containers/", "Sources/GraphKit/", "Sources/Nodes/",
    "Sources/AssetIO/", "Sources/GraphTesting/",
  ])
  func everythingPublicIsDocumented(_ folder: String) throws {
    let files = Repository.sources.filter { $0.hasPrefix(folder) }
    let requirements = try Self.requirements()
    let guilty = try files.flatMap { file -> [SourceLine] in
      let text = try Repository.text(file)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.indices.filter { isBare(lines, $0, requirements) }
        .map { SourceLine(file: file, number: $0 + 1, text: String(lines[$0])) }
    }
    #expect(guilty.isEmpty, "say in a line what it is: \(guilty)")
  }

  /// An operator has no name that the pattern sees; those there are compare.
  private func isBare(
    _ lines: [Substring], _ number: Int, _ requirements: Set<Substring>
  ) -> Bool {
    guard lines[number].drop(while: { $0 == " " }).hasPrefix("public ") else { return false }
    let pattern =
      /^ *public (?:[a-z]+ )*?(?:func|var|let|struct|class|enum|protocol|typealias|init|subscript)\b ?(\w*)/
    guard let match = lines[number].prefixMatch(of: pattern),
      !requirements.contains(match.1)
    else { return false }
    var above = number - 1
    while above > 0, lines[above].contains(/^ *@/) { above -= 1 }
    return above < 0 || !lines[above].contains(/^ *\/\/\//)
  }
}
