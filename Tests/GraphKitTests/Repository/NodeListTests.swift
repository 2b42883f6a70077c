import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// The lists of node types in the documents are those of the catalog; `make golden` writes them.
@Suite(.inTurn) struct NodeListTests {
  @Test func thePageNamesEveryNodeType() throws {
    try expect(page, equals: "docs/nodes.md")
  }

  @Test func theTopicsNameEveryNodeType() throws {
    let file = "Sources/Nodes/Nodes.docc/Nodes.md"
    let text = try Repository.text(file)
    let end = try #require(text.range(of: "## Topics\n")).upperBound
    try expect(text[..<end] + topics, equals: file)
  }

  @Test(arguments: [
    "docs/audio-effects.md", "docs/color-effects.md", "docs/composition.md", "docs/geometry.md",
    "docs/time.md",
  ])
  func aPageListsTheNodeTypesOfItsFolder(_ file: String) throws {
    let text = try Repository.text(file)
    let mark = try #require(text.firstMatch(of: /<!-- node types of (\S+) -->\n/))
    let end = try #require(text[mark.range.upperBound...].range(of: "\n<!-- end -->"))
    let names = Set(try NodeFile.all(in: "Sources/Nodes/\(mark.1)").map(\.name))
    let types = Catalog.builtIn.all.filter { names.contains($0.name) }
    #expect(types.count >= 5)
    let table =
      "| node | what it does |\n|---|---|\n"
      + types.map { "| `\($0.name)` | \($0.help.dropLast()) |" }.joined(separator: "\n")
    try expect(text[..<mark.range.upperBound] + table + text[end.lowerBound...], equals: file)
  }

  /// Compares a text with a file of the repository, or writes it there.
  private func expect(_ text: String, equals file: String) throws {
    if ProcessInfo.processInfo.environment["GRAPHKIT_UPDATE_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: Repository.root.appending(path: file))
    }
    #expect(try Repository.text(file) == text, "write it anew: make golden")
  }

  private var page: String {
    """
    # Node types

    `graphctl nodes TYPE` shows the ports of one, its parameters with their ranges and defaults, \
    and the elements that it uses. `make golden` writes this page.

    | type | role | what it does | a wire | graphs |
    |---|---|---|---|---|

    """ + Catalog.builtIn.all.map { row($0) + "\n" }.joined()
  }

  /// The Swift types of each role, under its name.
  private var topics: String {
    NodeRole.allCases.map { role in
      let types = Catalog.builtIn.all.filter { $0.role == role }
      return "\n### \(role.rawValue.capitalized)\n\n"
        + types.map { "- ``\(Swift.type(of: $0.make()))``\n" }.joined()
    }.joined()
  }

  /// The node types that each graph of the folder uses.
  private static let uses = GraphFolderTests.graphs.map { file in
    (file: file, types: Set((try? GraphFolderTests.graph(file))?.nodes.map(\.type.name) ?? []))
  }

  private func row(_ type: NodeType) -> String {
    let links = Self.uses.filter { $0.types.contains(type.name) }.map { file, _ in
      let name = file.split(separator: "/").last.map { $0.dropLast(5) } ?? ""
      return "[\(name)](../\(file))"
    }
    return "| `\(type.name)` | \(type.role.rawValue) | \(type.help) | `\(type.example)` | "
      + links.joined(separator: ", ") + " |"
  }
}
