import Foundation
import TestTools
import Testing

/// What `plan`, `nodes`, `schema` and `draw` write, compared whole.
@Suite(.inTurn) struct ListingTests {
  @Test(arguments: ["text", "json"]) func writesAPlan(format: String) async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["plan", "small.json", "--format", format], in: folder)
    #expect((result.status, result.messages) == (0, ""))
    try expect(result.output, matches: "plan-small.\(format == "text" ? "txt" : "json")")
  }

  @Test(arguments: ["mermaid", "dot", "svg"]) func draws(language: String) async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["draw", "small.json", "--format", language], in: folder)
    #expect((result.status, result.messages) == (0, ""))
    try expect(result.output, matches: "draw-small.\(language)")
  }

  @Test func theDrawingInTheReadmeIsUpToDate() async throws {
    let graph = Graphctl.repository.appending(path: "graphs/record.json").path
    let result = try await Graphctl.run(["draw", graph], in: Folder())
    #expect(result.status == 0)
    try expect(result.output, equals: Graphctl.repository.appending(path: "docs/record.svg"))
    let readme = Graphctl.repository.appending(path: "README.md")
    #expect(try String(contentsOf: readme, encoding: .utf8).contains("(docs/record.svg)"))
  }

  @Test func drawsAGraphAsItIsWritten() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(
      ["draw", "small.json", "--format", "dot", "--as-written"], in: folder)
    try expect(result.output, matches: "draw-written.dot")
  }

  @Test func listsNodeTypes() async throws {
    let result = try await Graphctl.run(["nodes"], in: Folder())
    try expect(result.output, matches: "nodes.txt")
  }

  @Test(arguments: ["gain", "mp4Sink", "h264Encoder"])
  func showsANodeType(type: String) async throws {
    let result = try await Graphctl.run(["nodes", type], in: Folder())
    try expect(result.output, matches: "nodes-\(type).txt")
  }

  /// What another node may take over once the file is known is still made of elements.
  @Test func namesTheElementsOfRawFile() async throws {
    let result = try await Graphctl.run(["nodes", "rawFile"], in: Folder())
    #expect(result.status == 0 && result.output.contains("rawaudioparse"), "\(result)")
  }

  @Test func showsANodeTypeAsJSON() async throws {
    let result = try await Graphctl.run(["nodes", "gain", "--format", "json"], in: Folder())
    try expect(result.output, matches: "nodes-gain.json")
  }

  @Test func listsAllNodeTypesAsJSON() async throws {
    let result = try await Graphctl.run(["nodes", "--format", "json"], in: Folder())
    let pages = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
    let names = try #require(pages).compactMap { $0["name"] as? String }
    #expect(names.count >= 21 && names.contains("camera"))
  }

  @Test(arguments: [
    ("gian", "did you mean `gain`?"), ("nullsink", "did you mean `nullSink`?"),
    ("zebra", "`graphctl nodes` lists them all"),
  ])
  func doesNotKnowEveryNodeType(name: String, remedy: String) async throws {
    let result = try await Graphctl.run(["nodes", name], in: Folder())
    let message = "graphctl: error: there is no node type `\(name)`; \(remedy)\n"
    #expect(result == .init(status: 69, output: "", messages: message))
  }

  @Test(arguments: ["decoder", "gst"])
  func doesNotTakeElementsForSwift(type: String) async throws {
    let result = try await Graphctl.run(["nodes", type], in: Folder())
    #expect(result.output.contains(", made of GStreamer elements that the graph decides)\n"))
  }

  @Test func theSchemaBesideTheGraphsIsUpToDate() async throws {
    let result = try await Graphctl.run(["schema"], in: Folder())
    try expect(
      result.output, equals: Graphctl.repository.appending(path: "graphs/graph.schema.json"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func writesCompletions(shell: String) async throws {
    let result = try await Graphctl.run(["--generate-completion-script", shell], in: Folder())
    #expect(result.status == 0 && result.output.contains("stall-timeout"))
  }
}
