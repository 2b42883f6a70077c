import TestTools
import Testing

@testable import GraphKit

@Suite("A graph as a document", .inTurn)
struct GraphRoundTripTests {
  private func check(_ document: GraphDocument) throws -> Graph {
    try Graph(
      checking: document, catalog: CheckerNodes.catalog, environment: CheckerNodes.Machine())
  }

  @Test("wires become rows, ports are named where a node has several, defaults stay away")
  func writing() throws {
    var draft = GraphDraft(catalog: CheckerNodes.catalog)
    var tone = CheckerNodes.Tone()
    tone.frequency = 880
    draft.add("tone", tone)
    draft.add("gain", CheckerNodes.Gain())
    draft.add("sound", CheckerNodes.SoundEncoder())
    var movie = CheckerNodes.MovieSink()
    movie.path = "${a}/$${b}.mp4"
    movie.tags = ["title": .string("${x}")]
    draft.add("movie", movie)
    draft.connect(("sound", "out"), to: ("movie", "audio.2"))
    draft.connect(("tone", "out"), to: ("gain", nil))
    draft.connect(("gain", nil), to: ("sound", "in"))
    let graph = try draft.check(in: CheckerNodes.Machine())
    #expect(
      graph.document.json == """
        {
          "nodes": {
            "tone":  { "type": "tone", "frequency": 880 },
            "gain":  { "type": "gain" },
            "sound": { "type": "soundEncoder" },
            "movie": { "type": "movieSink", "path": "$${a}/$$${b}.mp4", "tags": { "title": "$${x}" } }
          },
          "wires": [
            "tone -> gain -> sound -> movie.audio.2"
          ]
        }

        """)
    #expect(try check(GraphDocument(json: graph.document.json)) == graph)
  }

  @Test(
    "checking a graph's document gives the graph again",
    arguments: [
      (
        [
          "\"a\": { \"type\": \"tone\", \"wave\": \"sine\" }", BrokenGraphTests.gain,
          BrokenGraphTests.sink,
          "\"copy\": { \"type\": \"soundSink\", \"path\": \"b.wav\" }",
        ],
        ["a -> gain -> sink", "gain -> copy"]
      ),
      (
        [
          "\"a\": { \"type\": \"tone\" }", "\"s\": { \"type\": \"splitter\" }",
          "\"m\": { \"type\": \"mixer\" }",
          BrokenGraphTests.sink,
        ],
        ["a -> s.right -> m.in.3", "s.left -> m -> sink"]
      ),
      (
        ["\"f\": { \"type\": \"file\", \"path\": \"movie.mp4\" }", BrokenGraphTests.movie],
        ["f -> movie.video", "f.audio -> movie.audio", "f.audio -> movie.audio.5"]
      ),
    ])
  func roundTrip(_ nodes: [String], _ wires: [String]) throws {
    let graph = try CheckerNodes.graph(CheckerNodes.json(nodes: nodes, wires: wires))
    let again = try check(GraphDocument(json: graph.document.json))
    #expect(again == graph)
    #expect(again.document.json == graph.document.json)
  }

  @Test("graphs of other nodes or wires differ")
  func inequality() throws {
    let graph = { (decibels: Int, order: [String]) in
      try CheckerNodes.graph(
        CheckerNodes.json(
          nodes: [
            BrokenGraphTests.tone, "\"gain\": { \"type\": \"gain\", \"decibels\": \(decibels) }",
            "\"more\": { \"type\": \"gain\" }", BrokenGraphTests.sink,
          ],
          wires: [order.joined(separator: " -> ")]))
    }
    let one = try graph(1, ["tone", "gain", "more", "sink"])
    #expect(try one == graph(1, ["tone", "gain", "more", "sink"]))
    #expect(try one != graph(2, ["tone", "gain", "more", "sink"]))
    #expect(try one != graph(1, ["tone", "more", "gain", "sink"]))
  }

  @Test("what a builder makes is checked by the same rules, without places")
  func builder() {
    var draft = GraphDraft(catalog: CheckerNodes.catalog)
    var gain = CheckerNodes.Gain()
    gain.decibels = 100
    draft.add("gain", gain)
    draft.add("gain", CheckerNodes.Gain())
    draft.add("my sink", CheckerNodes.SoundSink())
    draft.connect(("gain", nil), to: ("nobody", nil))
    let errors = #expect(throws: GraphErrors.self) { try draft.check(in: CheckerNodes.Machine()) }
    #expect(
      errors?.diagnostics.map(\.description) == [
        "gain: error: two nodes are called `gain`; rename one of the two",
        "my sink: error: `my sink` can't be a name; use letters a to z, digits, `_` and `-`",
        "gain: error: `decibels` is 100 dB; it goes from -120 to 60 dB",
        "my sink: error: soundSink needs `path`; add `\"path\": …`: where the sound goes",
        "nobody: error: there is no node `nobody`; the graph has `gain` and `my sink`",
        "my sink: error: nothing is wired to `my sink`; add a wire, or remove the node",
      ])
  }
}

extension GraphDraft {
  fileprivate mutating func add<N: Node>(_ name: String, _ node: N) {
    let type = NodeType(N.self)
    add(name, type: type, node: node, parameters: type.values(of: node))
  }
}
