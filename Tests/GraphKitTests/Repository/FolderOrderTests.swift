import Testing

/// The folders of GraphKit stand in an order in which none names a type of a later one: who changes
/// a folder knows what may break, and no two folders need each other.
@Suite(.inTurn) struct FolderOrderTests {
  private static let order = [
    "Support", "Media", "Node", "Diagnostics", "Pictures", "Document", "Graph", "Fusion",
    "Reduction", "Plan", "Isolation", "Drawing", "Environment", "Report", "Wires", "Stages",
    "Outputs", "Lowering", "Economy", "Pipeline", "Control",
  ]

  private struct File: Sendable {
    var path: String
    var folder: String
    var words: Set<Substring>
    var types: Set<Substring>

    init(_ path: String) throws {
      self.path = path
      folder = String(path.split(separator: "/")[2])
      let lines = try SourceLine.code(of: [path]).map {
        $0.text.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"")
      }
      words = Set(
        lines.flatMap { $0.matches(of: /\b[A-Z]\w+/).map { Substring(String($0.output)) } })
      let declaration =
        /^(?:@\w+ |public |package |final |indirect )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
      types = Set(
        lines.compactMap { $0.prefixMatch(of: declaration).map { Substring(String($0.1)) } })
    }
  }

  private static let files = Result {
    try Repository.sources.filter {
      $0.hasPrefix("Sources/GraphKit/") && $0.split(separator: "/").count > 3
    }.map { try File($0) }
  }

  @Test func everyFolderHasItsPlaceInTheOrder() throws {
    #expect(Set(try Self.files.get().map(\.folder)) == Set(Self.order))
  }

  @Test func noFolderNamesATypeOfALaterOne() throws {
    let files = try Self.files.get()
    var homes: [Substring: Set<String>] = [:]
    for file in files { for type in file.types { homes[type, default: []].insert(file.folder) } }
    #expect(homes.count > 200)
    var guilty: [String] = []
    for file in files {
      guard let floor = Self.order.firstIndex(of: file.folder) else { continue }
      for word in file.words.sorted() {
        // A name that two folders give to types of their own says nothing.
        guard let home = homes[word], home.count == 1, let folder = home.first,
          let other = Self.order.firstIndex(of: folder), other > floor
        else { continue }
        guilty.append("\(file.path) names \(word) of \(folder)")
      }
    }
    #expect(
      guilty.isEmpty, "the order is \(Self.order.joined(separator: ", ")): \(guilty)")
  }
}
