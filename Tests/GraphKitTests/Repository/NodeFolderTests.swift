import GraphKit
import Nodes
import TestTools
import Testing

/// What a file of `Sources/Nodes` declares: a Swift type, and its name in graphs.
struct NodeFile {
  var path: String
  var type: String
  var name: String

  /// The declarations in the files of a folder and of those in it, but for `Support`.
  static func all(in folder: String) throws -> [NodeFile] {
    try files(in: folder).flatMap { try all(of: $0) }
  }

  /// The declarations in one file.
  static func all(of file: String) throws -> [NodeFile] {
    try Repository.text(file).matches(of: /NodeDeclaration<(\w+)>\(\s*"(\w+)"/).map {
      NodeFile(path: file, type: String($0.1), name: String($0.2))
    }
  }

  /// The files that are to declare one node type each.
  static func files(in folder: String = "Sources/Nodes") -> [String] {
    Repository.sources.filter {
      $0.hasPrefix("\(folder)/") && !$0.hasPrefix("Sources/Nodes/Support/")
        && !exceptions.contains($0)
    }
  }

  /// What writes the file of `mp4Sink` is on its way to another module.
  private static let exceptions: Set<String> = [
    "Sources/Nodes/Catalog.swift", "Sources/Nodes/Sinks/MovieOutput.swift",
  ]
}

/// Outside of `Support` a file of `Sources/Nodes` is one node type of the catalog.
@Suite(.inTurn) struct NodeFolderTests {
  @Test(arguments: NodeFile.files())
  func aFileDeclaresOneNodeTypeOfTheCatalog(_ file: String) throws {
    let found = try NodeFile.all(of: file)
    #expect(found.count == 1, "declare one node type, or move the file to Sources/Nodes/Support")
    for node in found {
      #expect(file.hasSuffix("/\(node.type).swift"), "name the file after its node type")
      let listed = try #require(
        Catalog.builtIn[node.name], "add `\(node.type).self,` to Sources/Nodes/Catalog.swift")
      #expect("\(type(of: listed.make()))" == node.type)
    }
  }

  @Test func theCatalogHoldsWhatTheFilesDeclare() throws {
    let names = try NodeFile.all(in: "Sources/Nodes").map(\.name)
    #expect(Catalog.builtIn.all.map(\.name).sorted() == names.sorted())
  }

  /// CONTRIBUTING.md names a folder of node types for its example, and a line as the catalog has.
  @Test func theExampleGoesWhereContributingSays() throws {
    let guide = try Repository.text("CONTRIBUTING.md")
    let file = try #require(guide.firstMatch(of: /`(Sources\/Nodes\/\S+)\/Polarity.swift`/))
    #expect(try !NodeFile.all(in: String(file.1)).isEmpty)
    #expect(guide.contains("in `Sources/Nodes/Catalog.swift`: `Polarity.self,`"))
    let lines = try Repository.text("Sources/Nodes/Catalog.swift").split(separator: "\n")
    #expect(lines.count { $0.contains(/^    \w+\.self,$/) } == Catalog.builtIn.all.count)
  }
}
