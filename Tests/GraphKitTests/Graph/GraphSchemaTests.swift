import Foundation
import TestTools
import Testing

@testable import GraphKit
@testable import JSON

@Suite("The JSON Schema of graph files", .inTurn)
struct GraphSchemaTests {
  private static let schema = GraphSchema.json(for: CheckerNodes.catalog)

  private static let good = [
    GraphDocumentTests.minimal,
    """
    { "$schema": "x", "parameters": { "n": 3, "p": null, "w": "ine" },
      "nodes": {
        "tone": { "type": "tone", "frequency": "${n}", "wave": "s${w}", "live": "${b}" },
        "picture": { "type": "picture", "frameRate": "30000/1001", "width": 16 },
        "rated": { "type": "picture", "frameRate": "${n}" },
        "movie": { "type": "movieSink", "path": "${p}.mp4", "tags": { "a": [1] } }
      },
      "wires": ["tone->a . b"] }
    """.replacing(" . ", with: "."),
    """
    { "description": ["For talks.", "Two looks."],
      "parameters": { "list": [1, { "a": 2 }] }, "inputs": { "in": "look/a.in" },
      "outputs": { "out": "look" },
      "nodes": {
        "look": { "type": "graph", "path": "look.json", "foreach": "${list}", "style": "noir" },
        "tone": { "type": "tone", "foreach": [1], "frequency": "1.5kHz", "optional": true }
      },
      "wires": ["tone -> look"] }
    """,
  ]

  /// What no declared type says, but the format of graph files does.
  private static let bad = [
    "[]", "{}", #"{ "nodes": {}, "wires": [] }"#, #"{ "nodes": [], "wires": [] }"#,
    #"{ "nodes": { "a": { "type": "tone" } }, "wires": "a" }"#,
    #"{ "nodes": { "a": { "type": "tone" } }, "wires": ["a"] }"#,
    #"{ "nodes": { "a": { "type": "tone" } }, "wires": ["a => b"] }"#,
    #"{ "nodes": { "a": { "type": "tone" } }, "wires": ["a ->"] }"#,
    #"{ "nodes": { "a": { "type": "tone" } }, "wires": ["a. -> b"] }"#,
    #"{ "nodes": { "a": { "type": "tone" } }, "wires": ["a -> b", 3] }"#,
    #"{ "nodes": { "a b": { "type": "tone" } }, "wires": [] }"#,
    #"{ "nodes": { "a": { "wave": "sine" } }, "wires": [] }"#,
    #"{ "nodes": { "a": { "type": 3 } }, "wires": [] }"#,
    #"{ "nodes": { "a": "tone" }, "wires": [] }"#,
    #"{ "nodes": { "a": { "type": "tone", "frequency": "x${n}" } }, "wires": [] }"#,
    #"{ "nodse": {}, "nodes": { "a": { "type": "tone" } }, "wires": [] }"#,
    #"{ "parameters": { "a": {} }, "nodes": { "a": { "type": "tone" } }, "wires": [] }"#,
    #"{ "description": [1], "nodes": { "a": { "type": "tone" } }, "wires": [] }"#,
    #"{ "inputs": ["a"], "nodes": { "a": { "type": "tone" } }, "wires": [] }"#,
    #"{ "nodes": { "a": { "type": "graph" } }, "wires": [] }"#,
    #"{ "nodes": { "a": { "type": "tone", "foreach": 3 } }, "wires": [] }"#,
    #"{ "nodes": { "a": { "type": "tone", "optional": 3 } }, "wires": [] }"#,
  ]

  @Test("a validator takes the schema, passes good graphs, and flags what the checker flags")
  func validation() throws {
    let broken = BrokenGraphTests.inNodes
    let sound = Self.good + BrokenGraphTests.inWires.filter { !$0.nodes.isEmpty }.map(\.json)
    let verdicts = try Validator.verdicts(
      schema: Self.schema, graphs: sound + broken.map(\.json) + Self.bad)
    #expect(verdicts.count == sound.count + broken.count + Self.bad.count)
    for (verdict, graph) in zip(verdicts, sound) { #expect(verdict == "valid", "\(graph)") }
    for (verdict, graph) in zip(verdicts.dropFirst(sound.count), broken) {
      #expect(verdict == "invalid", "\(graph.title)")
    }
    for (verdict, graph) in zip(verdicts.dropFirst(sound.count + broken.count), Self.bad) {
      #expect(verdict == "invalid", "\(graph)")
    }
  }

  @Test("the schema has help, ranges, defaults and words for editors")
  func contents() throws {
    let types = try #require(
      GraphSchema.tree(for: CheckerNodes.catalog)["$defs"]?["node.tone"]?["properties"])
    let frequency = try #require(types["frequency"])
    #expect(frequency["description"]?.text == "How high it sounds. (Hz)")
    #expect(frequency["default"]?.value == .number(440))
    #expect(
      JSONWriter.line(of: frequency["anyOf"] ?? .init(.null), limit: .max)
        == ##"[{ "type": "number", "minimum": 20, "maximum": 20000 }, "##
        + ##"{ "description": "It may be a frequency such as `\"48kHz\"`.", "type": "string", "##
        + ##""pattern": "^[0-9]" }, { "$ref": "#/$defs/reference" }]"##
    )
    #expect(types["wave"]?["default"]?.text == "sine")
    #expect(try JSONReader.read(Array(Self.schema.utf8)).duplicates.isEmpty)
  }
}

/// A JSON Schema validator of another house: Python's jsonschema.
private enum Validator {
  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    given = json.load(sys.stdin)
    schema = json.loads(given["schema"])
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for graph in given["graphs"]:
        print("valid" if validator.is_valid(json.loads(graph)) else "invalid")
    """

  static func verdicts(schema: String, graphs: [String]) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.start()
    let given = JSONTree(
      .object([
        .init(key: Located("schema"), value: JSONTree(.string(schema))),
        .init(
          key: Located("graphs"), value: JSONTree(.array(graphs.map { JSONTree(.string($0)) }))),
      ]))
    try input.fileHandleForWriting.write(contentsOf: Data(JSONWriter.text(of: given).utf8))
    try input.fileHandleForWriting.close()
    let lines = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension JSONTree {
  fileprivate subscript(key: String) -> JSONTree? {
    members?.first { $0.key.value == key }?.value
  }
}
