import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// The list of node types in the documents is that of the catalog.
@Suite(.inTurn) struct NodeListTests {
  @Test func namesEveryNodeType() throws {
    if ProcessInfo.processInfo.environment["GRAPHKIT_UPDATE_GOLDEN"] == "1" {
      try Data(page.utf8).write(to: Repository.root.appending(path: "docs/nodes.md"))
    }
    #expect(try Repository.text("docs/nodes.md") == page, "write it anew: make golden")
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
