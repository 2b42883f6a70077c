import Foundation
import GraphKit
import TestTools
import Testing

/// What the documents show is what compiles and runs.
@Suite(.inTurn) struct DocumentExampleTests {
  static let documents = ["README.md", "CONTRIBUTING.md", "docs/samples.md"]
  static let linkedDocuments =
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + Repository.files(in: "docs", suffix: ".md")

  @Test(arguments: documents)
  func everyProgramIsAFileOfTheTests(_ document: String) throws {
    // What is for Apple's systems doesn't compile here.
    let programs = try DocumentExample.all(in: document).filter {
      $0.language == "swift" && $0.note != "AVFoundation"
    }
    #expect(programs.count >= 2)
    for program in programs {
      let file = try #require(program.note, "say above the block which file it is")
      #expect(file.contains(/^Tests\/(GraphKit|Nodes|AssetIO)Tests\/ReadmeExamples\//))
      #expect(try Repository.text(file) == program.text, "\(document) and \(file) differ")
    }
  }

  @Test func everyGraphIsAFile() throws {
    let graphs = try DocumentExample.all(in: "README.md").filter { $0.language == "json" }
    #expect(graphs.count >= 2)
    for graph in graphs {
      let file = try #require(graph.note, "say above the block which file it is")
      #expect(try Repository.text(file) == graph.text, "README.md and \(file) differ")
    }
  }

  @Test func theFormatsExamplesAreRightAndWrongAsTheySay() throws {
    let examples = try DocumentExample.all(in: "docs/graph-format.md")
    func text(_ note: String) throws -> String {
      try #require(examples.first { $0.note == note }).text
    }
    func check(_ note: String) throws -> Graph {
      try Graph(
        checking: GraphDocument(json: text(note), file: "graph.json"), catalog: .builtIn,
        environment: GraphFolderTests.Machine())
    }
    #expect(try check("right").warnings.isEmpty)
    let errors = try #require(throws: GraphErrors.self) { try check("wrong") }
    #expect("\(errors)\n" == (try text("what is wrong")))
  }

  @Test func theComposedGraphRuns() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "softer.wav").path
    let report = try await writeSofterTone(to: path)
    #expect(report.unbalanced == [])
    // A header of 80 bytes, then 5 s of two channels of 4 bytes at 48 kHz.
    #expect(try Data(contentsOf: URL(filePath: path)).count == 80 + 5 * 2 * 4 * 48_000)
  }

  @Test func everyDecisionIsListed() throws {
    let list = try Repository.text("docs/decisions/README.md")
    let pages = Repository.files(in: "docs/decisions", suffix: ".md").compactMap {
      $0.split(separator: "/").last
    }
    #expect(pages.count > 10)
    for page in pages where page != "README.md" {
      #expect(list.contains("(\(page))"), "docs/decisions/README.md doesn't list \(page)")
    }
  }

  /// Every folder of sources has its line on the map.
  @Test func everyFolderIsOnTheMap() throws {
    let map = try Repository.text("docs/architecture.md")
    let parts = Set(Repository.sources.map { $0.split(separator: "/").dropLast() })
    let folders = parts.filter { $0.count == 2 || ["GraphKit", "Nodes"].contains($0[1]) }
      .map { $0.joined(separator: "/") }
    #expect(folders.count > 30)
    let missing = folders.filter { !map.contains("(../\($0))") }.sorted()
    #expect(missing.isEmpty, "docs/architecture.md lacks them")
  }

  /// The links that lead to files of the repository.
  @Test(arguments: linkedDocuments)
  func linksLeadSomewhere(_ document: String) throws {
    let folder = Repository.root.appending(path: document).deletingLastPathComponent()
    for link in try Repository.text(document).matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
      let path = folder.appending(path: String(link.1)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(document) links to \(link.1)")
    }
  }
}
