import GraphKit
import Nodes
import TestTools
import Testing

/// Outside of `Support` a file of `Sources/Nodes` is one node type of the catalog.
@Suite(.inTurn) struct NodeFolderTests {
  /// What writes the file of `mp4Sink` is on its way to another module.
  private static let exceptions: Set<String> = [
    "Sources/Nodes/Catalog.swift", "Sources/Nodes/Sinks/MovieOutput.swift",
  ]

  private static let files = Repository.sources.filter {
    $0.hasPrefix("Sources/Nodes/") && !$0.hasPrefix("Sources/Nodes/Support/")
      && !exceptions.contains($0)
  }

  /// The Swift type and the name in graphs of what a file declares.
  private func declarations(in file: String) throws -> [(type: String, name: String)] {
    try Repository.text(file).matches(of: /NodeDeclaration<(\w+)>\(\s*"(\w+)"/).map {
      (String($0.1), String($0.2))
    }
  }

  @Test(arguments: files)
  func aFileDeclaresOneNodeTypeOfTheCatalog(_ file: String) throws {
    let found = try declarations(in: file)
    #expect(found.count == 1, "declare one node type, or move the file to Sources/Nodes/Support")
    for (type, name) in found {
      #expect(file.hasSuffix("/\(type).swift"), "name the file after its node type")
      let node = try #require(
        Catalog.builtIn[name], "add `\(type).self` to Sources/Nodes/Catalog.swift")
      #expect("\(Swift.type(of: node.make()))" == type)
    }
  }

  @Test func theCatalogHoldsWhatTheFilesDeclare() throws {
    let names = try Self.files.flatMap { try declarations(in: $0) }.map(\.name)
    #expect(Catalog.builtIn.all.map(\.name).sorted() == names.sorted())
  }
}
