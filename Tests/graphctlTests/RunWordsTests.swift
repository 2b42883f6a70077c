import Foundation
import GraphKit
import TestTools
import Testing

/// Words of `graphctl run` that are read without a parser mean what ArgumentParser makes of them.
@Suite(.inTurn) struct RunWordsTests {
  private let graph = """
    {
      "parameters": { "frames": 1000 },
      "nodes": {
        "tone": { "type": "testAudio", "frames": "${frames}" },
        "sink": { "type": "nullSink" }
      },
      "wires": ["tone -> sink"]
    }
    """

  /// The report that a run writes to r.json.
  private func report(_ words: [String]) async throws -> Report {
    let folder = try Folder()
    try folder.write("g.json", graph)
    let result = try await Graphctl.run(["run"] + words, in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""), "\(result)")
    #expect(!folder.has("first.json"))
    return try JSONDecoder().decode(Report.self, from: folder.data("r.json"))
  }

  @Test(arguments: [
    ["g.json", "--set", "frames=3072", "--report", "r.json", "--quiet"],
    ["--quiet", "--report", "r.json", "--set", "frames=1", "--set", "frames=3072", "g.json"],
    ["g.json", "--set", "frames=3072", "--report", "r.json", "-q"],
    ["g.json", "--set=frames=3072", "--report=r.json", "-q"],
    ["--set", "frames=3072", "--report", "r.json", "--quiet", "--", "g.json"],
    ["g.json", "--set", "frames=3072", "--report", "first.json", "--report", "r.json", "--quiet"],
  ]) func theReportIsTheSameInEverySpellingOfTheOptions(_ words: [String]) async throws {
    let wires = try await report(words).wires
    #expect(wires["tone.out -> sink.in"]?.samplesIn == 2, "\(wires)")
  }

  @Test(arguments: [
    [], ["--quiet"], ["g.json", "g.json"], ["g.json", "--set", "frames"], ["g.json", "--report"],
    ["g.json", "--report", "--quiet"], ["g.json", "--frob", "x"], ["g.json", "-x"],
  ]) func wrongOptionsAreRefusedAsByTheParser(_ words: [String]) async throws {
    let folder = try Folder()
    try folder.write("g.json", graph)
    let result = try await Graphctl.run(["run"] + words, in: folder)
    #expect((result.status, result.output) == (64, ""))
    #expect(result.messages.contains("Usage: graphctl run"), "\(result)")
  }
}
