import TestTools
import Testing

@testable import GraphKit

@Suite("Checked graphs", .inTurn)
struct GraphTests {
  private let json = """
    {
      "parameters": { "output": "a.mp4", "spare": 1 },
      "nodes": {
        "file": { "type": "file", "path": "movie.mp4" },
        "tone": { "type": "tone", "frequency": 880 },
        "sound": { "type": "soundEncoder" },
        "movie": { "type": "movieSink", "path": "${output}", "tags": { "b": 1, "a": ["${output}"] } }
      },
      "wires": [
        "file.video -> movie",
        "file.audio -> movie",
        "tone -> sound -> movie.audio.2"
      ]
    }
    """

  @Test("a graph has configured nodes with real ports")
  func nodes() throws {
    let graph = try CheckerNodes.graph(json)
    #expect(graph.nodes.map(\.name) == ["file", "tone", "sound", "movie"])
    #expect((graph["tone"]?.node as? CheckerNodes.Tone)?.frequency == 880)
    #expect((graph["movie"]?.node as? CheckerNodes.MovieSink)?.path == "a.mp4")
    #expect(
      graph["movie"]?.parameters["tags"]
        == .object(["b": .number(1), "a": .array([.string("a.mp4")])]))
    #expect(graph["file"]?.ports.map(\.name) == ["video", "audio"])
    #expect(graph["movie"]?.ports.map(\.name) == ["video", "audio", "audio.2"])
    #expect(graph["movie"]?.ports.map(\.baseName) == ["video", "audio", "audio"])
    #expect(graph["movie"]?.ports.map(\.instanceNumber) == [1, 1, 2])
    #expect(graph["tone"]?.place == SourcePlace(line: 5, column: 5))
    #expect(graph.wires.map(\.place?.line) == [10, 11, 12, 12])
  }

  @Test("a graph keeps what its nodes say, and what nobody needs")
  func notices() throws {
    let graph = try CheckerNodes.graph(json)
    #expect(graph.notices == [Notice(node: "file", message: "2 streams")])
    #expect(
      graph.warnings.map(\.description) == [
        "g.json:2:38: warning: nothing uses the parameter `spare`; write `${spare}` somewhere, or remove it"
      ])
  }

  @Test("a repeatable input that isn't wired is no port of the graph's node")
  func unwiredRepeatable() throws {
    let graph = try CheckerNodes.graph(
      CheckerNodes.json(
        nodes: [BrokenGraphTests.picture, BrokenGraphTests.video, BrokenGraphTests.movie],
        wires: ["picture -> video -> movie"]))
    #expect(graph["movie"]?.ports.map(\.name) == ["video"])
  }

  @Test("a raw frame rate can't be converted, all else of raw media can")
  func conversion() throws {
    var slow = FormatConstraint.video([.nv12], width: 320, height: 240, frameRate: Rational(25))
    #expect(try mismatch(slow) == "frameRate")
    slow.frameRate = nil
    #expect(try mismatch(slow) == nil)
  }

  @Test("an output that follows an input keeps its frame rate, whatever converts the pixels")
  func following() {
    let input = PortDeclaration("in", .input, FormatConstraint(.video), help: "")
    let start = PortDeclaration("out", .output, .video([.i420], frameRate: Rational(30)), help: "")
    let leaving = { (format: FormatConstraint) in
      let output = PortDeclaration("out", .output, format, follows: "in", help: "")
      return FormatFlow(
        Topology(nodeCount: 2, wires: [(0, 1)]),
        [
          FormatFlow.Station(node: CheckerNodes.Relay(), ports: [start]),
          FormatFlow.Station(node: CheckerNodes.Relay(), ports: [input, output]),
        ], [FormatFlow.Path(output: start, input: input)]
      ).format(of: output, at: 1)
    }
    #expect(leaving(.video([.bgra])) == .video([.bgra], frameRate: Rational(30)))
    #expect(leaving(FormatConstraint(.any)) == .video([.i420], frameRate: Rational(30)))
  }

  private func mismatch(_ format: FormatConstraint) throws -> String? {
    var draft = GraphDraft(catalog: Catalog())
    var wire = DraftWire(
      from: .init(node: "a"), to: .init(node: "b"),
      output: PortDeclaration("out", .output, FormatConstraint(.video), help: ""),
      input: PortDeclaration("in", .input, format, help: ""))
    wire.format = .video([.i420], width: 640, height: 480, frameRate: Rational(30))
    draft.wires = [wire]
    guard
      case .fit(.formatConflict(_, let conflict, _)) = FormatMismatch.check(draft).first?.problem
    else { return nil }
    return conflict.field
  }
}
