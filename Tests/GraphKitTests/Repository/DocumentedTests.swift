import Testing

/// Everything public has its line of documentation, but for what a protocol documents already.
///
/// The formatter's rule for this can't tell what only fulfils a protocol's requirement, so it is
/// off, and the names of those requirements are here.
@Suite struct DocumentedTests {
  static let requirements: Set<Substring> = [
    "declaration", "ports", "portDeclarations", "declarations", "resolve", "problem", "isLive",
    "settle", "reshaped", "reshapingNode", "needsWholeStream", "kind", "json",
    "latency", "presentationShift", "elements", "prepare", "process", "finish", "start", "produce",
    "apply", "entryFormat", "entryDescription", "outputPath", "finishFile", "maximumDuration",
    "writesStandardOutput", "isCrop", "needsUprightPictures", "cropsToEvenSizes", "members",
    "standIn", "takesLatestOnly",
    "preview",
    "frameCount",
    "piece", "makeSummary", "send",
    "swiftNode", "pointEffect", "color", "set",
    "sourceNode", "elementNode", "entryNode", "exitNode", "finishingNode",
    "limitedNode", "piecewiseSource", "associativeReducer", "reducerNode", "streamSource",
    "endFrame", "edit", "isStill", "sendCompleted", "add", "merge",
    "description", "hash", "",
  ]

  @Test(arguments: ["Sources/GraphKit/", "Sources/Nodes/", "Sources/GraphTesting/"])
  func everythingPublicIsDocumented(_ folder: String) throws {
    let files = Repository.sources.filter { $0.hasPrefix(folder) }
    let guilty = try files.flatMap { file -> [SourceLine] in
      let text = try Repository.text(file)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.indices.filter { isBare(lines, $0) }
        .map { SourceLine(file: file, number: $0 + 1, text: String(lines[$0])) }
    }
    #expect(guilty.isEmpty, "say in a line what it is: \(guilty)")
  }

  /// An operator has no name that the pattern sees; those there are compare.
  private func isBare(_ lines: [Substring], _ number: Int) -> Bool {
    guard lines[number].drop(while: { $0 == " " }).hasPrefix("public ") else { return false }
    let pattern =
      /^ *public (?:[a-z]+ )*?(?:func|var|let|struct|class|enum|protocol|typealias|init|subscript)\b ?(\w*)/
    guard let match = lines[number].prefixMatch(of: pattern),
      !Self.requirements.contains(match.1)
    else { return false }
    var above = number - 1
    while above > 0, lines[above].contains(/^ *@/) { above -= 1 }
    return above < 0 || !lines[above].contains(/^ *\/\/\//)
  }
}
