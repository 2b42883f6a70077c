import TestTools
import Testing

@testable import GraphKit

@Suite("Several mistakes in one graph", .inTurn)
struct ManyMistakesTests {
  @Test("all are told together, each once, in the order of the file")
  func together() {
    let json = """
      {
        "nodse": {},
        "parameters": { "unused": 1 },
        "nodes": {
          "tone": { "type": "tone", "frequency": 1e9, "wave": "sin", "pitch": 3 },
          "odd": { "type": "oddity", "whatever": true },
          "gain": { "type": "gain" },
          "split": { "type": "splitter" },
          "tone": { "type": "gain" },
          "sink": { "type": "soundSink", "path": "${where}" },
          "lost": { "type": "gain" }
        },
        "wires": [
          "tone -> odd.x -> gain.in",
          "gain -> split",
          "split -> sink",
          "split.middle -> sink",
          "gain => split"
        ]
      }
      """
    #expect(
      CheckerNodes.complaints(json) == [
        "g.json:2:3: error: `nodse` is no part of a graph file; did you mean `nodes`?",
        "g.json:3:19: warning: nothing uses the parameter `unused`; write `${unused}` somewhere, or remove it",
        "g.json:5:44: error: `frequency` is 1000000000 Hz; it goes from 20 to 20000 Hz",
        "g.json:5:57: error: `sin` is no wave of tone; did you mean `sine`?",
        "g.json:5:64: error: tone has no parameter `pitch`; it has `frequency`, `wave`, `channels` and `live`",
        "g.json:6:22: error: there is no node type `oddity`; `graphctl nodes` lists the types",
        "g.json:9:5: error: `tone` is already given in line 5, column 5; remove or rename one of the two",
        "g.json:10:45: error: there is no parameter `where`; add it to `parameters`, or `--set where=…`",
        "g.json:11:5: error: nothing is wired to `lost`; add a wire, or remove the node",
        "g.json:17:6: error: `split` has no port `middle`; it has `in`, `left` and `right`",
        "g.json:18:6: error: `gain => split` is no end of a wire; write `node` or `node.port`",
      ])
  }

  @Test(
    "what only follows from a mistake isn't told",
    arguments: [
      // A node of unknown type has no ports that could be named or left open.
      (["\"a\": { \"type\": \"no\" }", BrokenGraphTests.sink], ["a.x -> sink.in"], 1),
      (
        [BrokenGraphTests.tone, "\"a\": { \"type\": \"no\" }", BrokenGraphTests.sink],
        ["tone -> a.b -> sink"], 1
      ),
      // Neither has one with a wrong parameter, as its ports may depend on that.
      (
        ["\"a\": { \"type\": \"file\", \"pth\": \"x\" }", BrokenGraphTests.movie],
        ["a.video -> movie"], 2
      ),
      // A misspelt name leaves the node that it meant unwired.
      (
        [BrokenGraphTests.tone, BrokenGraphTests.gain, BrokenGraphTests.sink],
        ["tone -> gaim -> sink"], 1
      ),
      // So does a wire that can't be read, and a list of wires that isn't one.
      ([BrokenGraphTests.tone, BrokenGraphTests.sink], ["tone > sink"], 1),
      // A wire between the wrong ports leaves the right ones open.
      (
        [BrokenGraphTests.tone, BrokenGraphTests.gain, BrokenGraphTests.sink],
        ["tone -> gain.inn", "gain -> sink"], 1
      ),
    ] as [([String], [String], Int)])
  func noise(_ nodes: [String], _ wires: [String], _ count: Int) {
    let complaints = CheckerNodes.complaints(CheckerNodes.json(nodes: nodes, wires: wires))
    #expect(complaints.count == count, "\(complaints)")
  }

  @Test("of very many the first hundred are kept, and the rest counted")
  func limit() throws {
    let nodes = (0..<150).map { "\"n\($0)\": { \"type\": \"no\" }" }
    let document = try GraphDocument(json: CheckerNodes.json(nodes: nodes, wires: []))
    let errors = #expect(throws: GraphErrors.self) {
      try Graph(
        checking: document, catalog: CheckerNodes.catalog, environment: CheckerNodes.Machine())
    }
    #expect(errors?.diagnostics.count == 100)
    #expect(errors?.omitted == 200)
    #expect(errors?.description.hasSuffix("\n… and 200 more") == true)
  }
}
