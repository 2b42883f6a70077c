import Foundation
import TestTools
import Testing

@Suite(.inTurn) struct CheckTests {
  @Test func saysThatAGraphIsRight() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["check", "small.json"], in: folder)
    #expect(
      result
        == .init(
          status: 0, output: "small.json: OK: 5 nodes, 4 wires\n", messages: ""))
  }

  @Test func readsStandardInput() async throws {
    let result = try await Graphctl.run(["check", "-"], in: Folder(), input: smallGraph)
    #expect(result.output == "standard input: OK: 5 nodes, 4 wires\n")
  }

  @Test func tellsAllFaultsWithTheirPlaces() async throws {
    let folder = try Folder()
    try folder.write(
      "bad.json",
      """
      {
        "nodes": {
          "camera": { "type": "camera", "widht": 640 },
          "look": { "type": "channelMsk" },
          "video": { "type": "h264Encoder", "preset": "fastest" },
          "movie": { "type": "mp4Sink" }
        },
        "wires": ["camera -> look -> video -> movie.vido"]
      }
      """)
    let result = try await Graphctl.run(["check", "bad.json"], in: folder)
    #expect((result.status, result.output) == (65, ""))
    try expect(result.messages, matches: "check-bad.txt")
  }

  @Test func takesATextThatIsEmptyToBeginWith() async throws {
    let folder = try Folder()
    let graph = """
      { "nodes": { "in": { "type": "testVideo" }, "title": { "type": "text", "text": "" },
                   "end": { "type": "nullSink" } },
        "wires": ["in -> title -> end"] }
      """
    try folder.write("g.json", graph)
    #expect(try await Graphctl.run(["check", "g.json"], in: folder).status == 0)
    try folder.write("g.json", graph.replacing(#", "text": """#, with: ""))
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status == 65)
    #expect(result.messages.hasPrefix("g.json:1:45: error: text needs `text`; "), "\(result)")
  }

  @Test func aParameterThatIsANumberTakesAFraction() async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "parameters": { "rate": 30 },
        "nodes": { "in": { "type": "testVideo", "frameRate": "${rate}" },
                   "end": { "type": "nullSink" } },
        "wires": ["in -> end"] }
      """)
    let result = try await Graphctl.run(
      ["plan", "g.json", "--set", "rate=30000/1001"], in: folder)
    #expect(result.status == 0 && result.output.contains("30000/1001"), "\(result)")
    let wrong = try await Graphctl.run(["check", "g.json", "--set", "rate=30/0"], in: folder)
    #expect(wrong.messages == "g.json: error: `30/0` is no value for `rate`; set it to a number\n")
  }

  @Test func findsAFolderThatIsMissing() async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "nodes": {
          "in": { "type": "testAudio", "seconds": 1 },
          "even": { "type": "loudnessNormalize", "folder": "none" },
          "end": { "type": "nullSink" } },
        "wires": ["in -> even -> end"] }
      """)
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status != 0)
    #expect(
      result.messages
        == "g.json:3:54: error: no temporary file can be made in `none`: No such file or "
        + "directory; name a folder that may be written\n")
  }

  @Test func writesFaultsAsJSON() async throws {
    let folder = try Folder()
    try folder.write("bad.json", "{ \"nodes\": { \"a\": { \"type\": \"gian\" } }, \"wires\": [] }")
    let result = try await Graphctl.run(["check", "bad.json", "--format", "json"], in: folder)
    #expect((result.status, result.messages) == (65, ""))
    try expect(result.output, matches: "check-bad.json")
  }

  @Test func refusesAMissingGraph() async throws {
    let result = try await Graphctl.run(["check", "none.json"], in: Folder())
    #expect(
      result
        == .init(
          status: 66, output: "",
          messages: "none.json: error: the graph file can't be read: No such file or directory; "
            + "give the path of a graph file, or - for standard input\n"))
  }

  @Test(arguments: [
    ("small.mp4", 73, "`small.mp4` is there already; give another path, `--overwrite`, or"),
    ("none/small.mp4", 73, "`none/small.mp4` can't be written: there is no folder `none`"),
  ])
  func tellsWhereAFileCannotBeMade(output: String, status: Int32, text: String) async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    try folder.write("small.mp4", "")
    let result = try await Graphctl.run(
      ["check", "small.json", "--set", "output=\(output)"], in: folder)
    #expect(result.status == status)
    #expect(result.messages.hasPrefix("small.json:8:45: error: \(text)"), "\(result.messages)")
  }

  @Test func tellsWhichInputCannotBeRead() async throws {
    let graph = Graphctl.repository.appending(path: "graphs/remux.json").path
    let result = try await Graphctl.run(["check", graph, "--set", "input=none.mov"], in: Folder())
    #expect(result.status == 66)
    #expect(result.messages.contains("`none.mov` can't be opened: No such file or directory"))
  }

  @Test(arguments: [
    ["check"], ["check", "a.json", "--set", "x"], ["run", "--events=1"],
    ["run", "a.json", "--stall-timeout", "0"], ["run", "a.json", "--events", "--format", "json"],
  ])
  func refusesACommandLineThatIsWrong(arguments: [String]) async throws {
    let result = try await Graphctl.run(arguments, in: Folder())
    #expect((result.status, result.output) == (64, ""))
    #expect(result.messages.contains("Usage: graphctl"))
  }
}
