import Foundation
import TestTools
import Testing

@testable import GraphKit

@Suite("Diagnostics of JSON that is no graph file", .inTurn)
struct DocumentDiagnosticTests {
  private func complaints(_ json: String) throws -> [String] {
    try GraphDocument(json: json).diagnostics.map(\.description)
  }

  @Test(
    "text, line and column",
    arguments: [
      ("[]", ["1:1: error: the file is a list; write an object: `{ … }`"]),
      (#"{"node": {}}"#, ["1:2: error: `node` is no part of a graph file; did you mean `nodes`?"]),
      (
        #"{"title": 1}"#,
        [
          "1:2: error: `title` is no part of a graph file; it has `$schema`, `description`, `parameters`, `inputs`, `outputs`, `whenSlow`, `nodes` and `wires`"
        ]
      ),
      (
        #"{"description": ["a", 1]}"#,
        ["1:17: error: `description` is a list; write text, or a list of lines of text"]
      ),
      (#"{"$schema": 1}"#, ["1:13: error: `$schema` is a number; write the schema's path as text"]),
      (
        #"{"nodes": []}"#,
        ["1:11: error: `nodes` is a list; write an object: `{ \"name\": { \"type\": … } }`"]
      ),
      (
        #"{"nodes": {"a": "tone"}}"#,
        ["1:17: error: `a` is text; write an object: `{ \"type\": … }`"]
      ),
      (
        #"{"nodes": {"a": {"typ": "tone"}}}"#,
        ["1:17: error: `a` has no type; add `\"type\": \"…\"`; `graphctl nodes` lists the types"]
      ),
      (
        #"{"nodes": {"a": {"type": 3}}}"#,
        ["1:26: error: `type` is a number; write a node type's name"]
      ),
      (
        #"{"nodes": {"a b": {"type": "tone"}}}"#,
        ["1:12: error: `a b` can't be a name; use letters a to z, digits, `_` and `-`"]
      ),
      (
        #"{"parameters": 1}"#,
        ["1:16: error: `parameters` is a number; write an object: `{ \"name\": value }`"]
      ),
      (
        #"{"parameters": {"a": {}}}"#,
        [
          "1:22: error: the parameter `a` is an object; "
            + "write text, a number, true or false, or a list of such"
        ]
      ),
      (#"{"wires": "a -> b"}"#, ["1:11: error: `wires` is text; write a list: `[\"from -> to\"]`"]),
      (#"{"wires": [1]}"#, ["1:12: error: the wire is a number; write text: `\"from -> to\"`"]),
      (#"{"wires": ["a"]}"#, ["1:13: error: the wire joins nothing; write `from -> to`"]),
      (
        #"{"wires": [""]}"#,
        ["1:13: error: the wire has an end without a node; write `node` or `node.port` here"]
      ),
      (
        #"{"wires": ["a -> "]}"#,
        ["1:17: error: the wire has an end without a node; write `node` or `node.port` here"]
      ),
      (
        #"{"wires": ["a -> -> b"]}"#,
        ["1:17: error: the wire has an end without a node; write `node` or `node.port` here"]
      ),
      (
        #"{"wires": ["a => b"]}"#,
        ["1:13: error: `a => b` is no end of a wire; write `node` or `node.port`"]
      ),
      (
        #"{"wires": ["a -> b. -> .c"]}"#,
        [
          "1:18: error: `b.` is no end of a wire; write `node` or `node.port`",
          "1:24: error: `.c` is no end of a wire; write `node` or `node.port`",
        ]
      ),
    ])
  func text(_ json: String, _ complaints: [String]) throws {
    #expect(try self.complaints(json) == complaints)
  }

  @Test("a graph has bounds that no honest one meets")
  func bounds() throws {
    let nodes = { (count: Int) in
      "{\"nodes\":{" + (0..<count).map { "\"\($0)\":{\"type\":\"a\"}" }.joined(separator: ",")
        + "}}"
    }
    #expect(try complaints(nodes(4096)) == [])
    let many = try complaints(nodes(4097))
    #expect(many.count == 1)
    #expect(
      many[0].hasSuffix("error: the graph has more than 4096 nodes; split it into several graphs"))
    let wires = { (count: Int) in
      "{\"wires\":[" + Array(repeating: "\"a->b\"", count: count).joined(separator: ",") + "]}"
    }
    #expect(try complaints(wires(8192)) == [])
    #expect(
      try complaints(wires(8194)) == [
        "1:57355: error: the graph has more than 16384 ends of wires; split it into several graphs"
      ])
  }

  @Test(
    "nodes that can't be read take no blame for wires",
    arguments: [
      #"{"nodse": {"a": {"type": "tone"}}, "wires": ["a -> b"]}"#,
      #"{"nodes": [], "wires": ["a -> b"]}"#,
      #"{"nodes": {"a": {"type": "tone"}, "b": {"type": "soundSink", "path": "x"}}, "wire": []}"#,
      #"[]"#,
    ])
  func unreadable(_ json: String) {
    #expect(CheckerNodes.complaints(json).count == 1)
  }

  @Test("each end of a wire has its own place, escapes or not")
  func ends() throws {
    let json = #"{"wires": ["a.out  ->b-> c.audio.2", "a \u002d> b"]}"#
    let wires = try GraphDocument(json: json).wires
    #expect(wires.map(\.text) == ["a.out -> b -> c.audio.2", "a -> b"])
    #expect(wires[0].ends.map(\.place?.column) == [13, 22, 26])
    #expect(wires[1].ends.map(\.place?.column) == [39, 49])
  }

  @Test("a diagnostic as JSON has its place, its facts and its words")
  func encoding() throws {
    let document = try GraphDocument(json: #"{"nodes": {"a": {"type": 3}}}"#, file: "g.json")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(document.diagnostics), as: UTF8.self)
    #expect(
      text
        == #"[{"column":26,"file":"g.json","line":1,"message":"`type` is a number","node":"a","remedy":"write a node type's name","severity":"error"}]"#
    )
  }
}
