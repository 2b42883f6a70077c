import TestTools
import Testing

@testable import GraphKit

@Suite("Graph documents", .inTurn)
struct GraphDocumentTests {
  static let record = """
    {
      "$schema": "./graph.schema.json",
      "parameters": { "output": "record.mp4", "seconds": 10 },
      "nodes": {
        "camera":     { "type": "camera", "device": "auto", "width": 1280, "frameRate": 30 },
        "microphone": { "type": "microphone", "device": "auto" },
        "movie":      { "type": "mp4Sink", "path": "${output}" }
      },
      "wires": [
        "camera -> movie.video",
        "microphone -> movie.audio"
      ]
    }

    """

  /// A graph of the types that the checker's tests know.
  static let minimal = CheckerNodes.json(
    nodes: [BrokenGraphTests.tone, BrokenGraphTests.sink], wires: ["tone -> sink"])

  @Test("a file is read into what it says, in its order")
  func reading() throws {
    let document = try GraphDocument(json: Self.record)
    #expect(document.diagnostics.isEmpty)
    #expect(document.schema == "./graph.schema.json")
    #expect(document.parameters.map(\.name.value) == ["output", "seconds"])
    #expect(document.nodes.map(\.name.value) == ["camera", "microphone", "movie"])
    #expect(document.nodes.map(\.type?.value) == ["camera", "microphone", "mp4Sink"])
    #expect(document.nodes[0].fields.map(\.key.value) == ["device", "width", "frameRate"])
    #expect(document.nodes[2].fields[0].value.place == SourcePlace(line: 7, column: 48))
    #expect(document.wires.map(\.text) == ["camera -> movie.video", "microphone -> movie.audio"])
  }

  @Test("writing lays a document out as a person would")
  func layout() throws {
    #expect(try GraphDocument(json: Self.record).json == Self.record)
  }

  @Test(
    "a description is kept, in one line or in several",
    arguments: [#""For talks.""#, #"["For talks.", "", "Ends by itself."]"#])
  func describes(_ lines: String) throws {
    let json = Self.record.replacing(
      "  \"parameters\"", with: "  \"description\": \(lines),\n  \"parameters\"")
    let document = try GraphDocument(json: json)
    #expect(document.summary?.hasPrefix("For talks.") == true && document.json == json)
    #expect(try document != GraphDocument(json: Self.record))
  }

  @Test("a node that is too long for a line is broken, and its neighbours stay in their column")
  func longNodes() throws {
    let path = String(repeating: "x", count: 90)
    let json = """
      {
        "nodes": {
          "a": {
            "type": "tone",
            "path": "\(path)",
            "list": [1, 2.5, -3e-07]
          },
          "long": { "type": "tone" }
        },
        "wires": []
      }

      """
    #expect(try GraphDocument(json: json).json == json)
  }

  @Test(
    "what is written reads back as the same document",
    arguments: [
      record, "{}", #"{"nodes":{},"wires":[]}"#,
      #"{"nodes":{"a":{"type":"t","x":{"k":[null,true,{"é":"\"\\\n\u0001🎬/"}],"e":{},"l":[]}}}}"#,
      #"{"parameters":{"a":null,"b":-0.0,"c":1e300,"d":1e-7,"e":"${a}"},"wires":["a->b->c.d.2"]}"#,
      #"{"nodes":{"a":{"x":1}}}"#,
    ])
  func roundTrip(_ json: String) throws {
    let document = try GraphDocument(json: json)
    let again = try GraphDocument(json: document.json)
    #expect(again == document)
    #expect(again.json == document.json)
  }

  @Test(
    "documents differ where they say something else",
    arguments: [
      #"{"nodes":{"a":{"type":"t","x":1}},"wires":["a->b"]}"#,
      #"{"nodes":{"a":{"type":"t","x":2}},"wires":["a->c"]}"#,
      #"{"nodes":{"a":{"type":"u","x":2}},"wires":["a->b"]}"#,
      #"{"nodes":{"a":{"type":"t","x":2}},"wires":["a->b.c"]}"#,
      #"{"nodes":{"a":{"type":"t","x":2}},"wires":["a->b"],"parameters":{"p":1}}"#,
    ])
  func inequality(_ json: String) throws {
    let document = try GraphDocument(json: #"{"nodes":{"a":{"type":"t","x":2}},"wires":["a->b"]}"#)
    #expect(try GraphDocument(json: json) != document)
  }
}
