import TestTools
import Testing

@testable import GraphKit

/// Numbers that look random and are the same each time (SplitMix64).
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite("Hostile files", .inTurn)
struct HostileFileTests {
  private static let good = """
    {
      "$schema": "./graph.schema.json",
      "parameters": { "output": "a.mp4", "pitch": 4.4e2 },
      "nodes": {
        "tone": { "type": "tone", "frequency": "${pitch}", "wave": "sine", "live": false },
        "gain": { "type": "gain", "decibels": -6.5 },
        "sound": { "type": "soundEncoder" },
        "movie": { "type": "movieSink", "path": "x-${output}", "tags": { "a": [null, "\\u00e9🎬"] } }
      },
      "wires": ["tone -> gain -> sound -> movie.audio.2", "tone \\u002d> sound2"]
    }
    """

  /// Checks what may be anything; returns whether it is a graph.
  @discardableResult
  private func check(_ bytes: [UInt8]) -> [Diagnostic] {
    do {
      let document = try GraphDocument(json: bytes)
      let written = document.json
      if document.diagnostics.isEmpty, written.utf8.count <= JSONReader.maximumBytes {
        #expect((try? GraphDocument(json: written)) == document)
      }
      _ = try Graph(
        checking: document, catalog: CheckerNodes.catalog, environment: CheckerNodes.Machine())
      return []
    } catch {
      _ = error.description
      return error.diagnostics
    }
  }

  @Test("a file that ends at any byte is answered with one diagnostic behind its start")
  func truncation() {
    let bytes = Array(Self.good.utf8)
    for count in bytes.indices {
      let found = check(Array(bytes.prefix(count)))
      #expect(found.count == 1 && found[0].place != nil, "\(count): \(found)")
    }
  }

  @Test("2,000 damaged files are answered")
  func mutation() {
    var random = Seeded(state: 7)
    let interesting = Array("{}[]\",:\\/ul0.-e$>\n\0é".utf8) + [0x80, 0xC0, 0xED, 0xFF]
    for _ in 0..<2000 {
      var bytes = Array(Self.good.utf8)
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] = interesting.randomElement(using: &random)!
        case 2: bytes.remove(at: place)
        default:
          let end = min(place + Int.random(in: 1..<40, using: &random), bytes.count)
          bytes.insert(
            contentsOf: bytes[place..<end], at: Int.random(in: bytes.indices, using: &random))
        }
      }
      check(bytes)
    }
  }

  /// Files made to be as slow to read or to check as can be.
  static let large = files(of: 1 << 15)

  static func files(of size: Int) -> [String: String] {
    let fill = { (start: String, piece: (Int) -> String, end: String) in
      var text = start
      var number = 0
      while text.utf8.count < size - 200 {
        text += piece(number)
        number += 1
      }
      return text + end
    }
    let wires = #"{"nodes": {"a": {"type": "relay"}}, "wires": ["#
    return [
      "brackets": fill("", { _ in "[" }, ""),
      "lists": fill("[", { _ in "[[[[[[[]]]]]]]," }, "0]"),
      "one string": fill("\"", { _ in "é" }, "\""),
      "escapes": fill("\"", { _ in "\\u00e9" }, "\""),
      "one number": fill("", { _ in "7" }, ""),
      "one fraction": fill("0.", { _ in "7" }, ""),
      "one word": fill("", { _ in "x" }, ""),
      "duplicates": fill("{", { _ in "\"a\":1," }, "\"a\":1}"),
      "unknown keys": fill("{", { "\"nodse\($0)\":1," }, "\"a\":1}"),
      "nodes": fill("{\"nodes\":{", { "\"n\($0)\":{\"type\":\"tnoe\"}," }, "\"a\":{}}}"),
      "unwired": fill("{\"nodes\":{", { "\"n\($0)\":{\"type\":\"gain\"}," }, "\"a\":{}}}"),
      "chain": chain(size / 42, end: "n0x"), "long circle": chain(size / 42, end: "n0"),
      "unknown nodes": fill(wires, { "\"b\($0)->c\"," }, "\"a->b\"]}"),
      "one wire": fill(wires + "\"a", { _ in "->a" }, "\"]}"),
      "one escaped wire": fill(wires + "\"a", { _ in "-\\u003ea" }, "\"]}"),
      "one circle": fill(wires + "\"a", { $0 % 2 == 0 ? "->relay" : "->a" }, "\"]}"),
      "references": fill(
        #"{"nodes": {"a": {"type": "soundSink", "path": ""#, { _ in "${a}" }, "\"}}}"),
      "open references": fill(
        #"{"nodes": {"a": {"type": "soundSink", "path": ""#, { _ in "${" }, "\"}}}"),
      "one input": fill(
        #"{"nodes": {"t": {"type": "tone"}, "m": {"type": "mixer"}}, "wires": ["#,
        { _ in "\"t->m\"," }, "\"m->t\"]}"),
      "fields": fill(
        #"{"nodes": {"t": {"type": "tone", "#, { "\"f\($0)\":1," }, "\"wave\":\"sine\"}}}"),
    ]
  }

  private static func chain(_ count: Int, end: String) -> String {
    let names = (0..<count).map { "n\($0)" }
    let nodes = names.map { "\"\($0)\":{\"type\":\"relay\"}" }.joined(separator: ",")
    return "{\"nodes\":{\(nodes)},\"wires\":[\"\((names + [end]).joined(separator: "->"))\"]}"
  }

  @Test("a large file of anything is answered", arguments: large.keys.sorted())
  func size(_ name: String) throws {
    let text = try #require(Self.large[name])
    #expect(!check(Array(text.utf8)).isEmpty)
  }
}
