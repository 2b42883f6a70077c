import Foundation
import TestTools
import Testing

@testable import GraphKit

@Suite("Graphs that are nodes", .inTurn)
struct GraphInGraphTests {
  /// Files of graphs in a folder that is removed with it.
  private final class Files {
    let folder: String

    init(_ files: [String: String]) throws {
      folder = NSTemporaryDirectory() + "graphkit-" + UUID().uuidString
      for (name, text) in files {
        let path = folder + "/" + name
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func graph(_ name: String = "g.json", set: [String: String] = [:]) throws -> Graph {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      return try Graph(
        checking: GraphDocument(json: text, file: "\(folder)/\(name)"),
        catalog: CheckerNodes.catalog, environment: CheckerNodes.Machine(), set: set)
    }

    /// What is wrong, with the folder left out.
    func complaints(_ name: String = "g.json") -> [String] {
      do {
        return try graph(name).warnings.map(text)
      } catch let errors as GraphErrors {
        return errors.diagnostics.map(text)
      } catch {
        return ["\(error)"]
      }
    }

    private func text(_ diagnostic: Diagnostic) -> String {
      diagnostic.description.replacing("\(folder)/", with: "")
    }
  }

  private static let look = """
    {
      "parameters": { "decibels": -6, "name": null },
      "inputs": { "sound": "first" },
      "outputs": { "left": "split.left", "right": "split.right" },
      "nodes": {
        "first": { "type": "gain", "decibels": "${decibels}" },
        "split": { "type": "splitter" },
        "copy": { "type": "soundSink", "path": "${name}.wav" }
      },
      "wires": ["first -> split", "first -> copy"]
    }
    """

  private static func outer(_ look: String, wires: String = "\"tone -> look\"") -> String {
    """
    {
      "nodes": {
        "tone": { "type": "tone" },
        "look": { "type": "graph", "path": "parts/look.json"\(look) },
        "a": { "type": "soundSink", "path": "a" },
        "b": { "type": "soundSink", "path": "b" }
      },
      "wires": [\(wires), "look.left -> a", "look.right -> b"]
    }
    """
  }

  private static func files(_ look: String, _ inner: String = look) throws -> Files {
    try Files(["g.json": outer(look), "parts/look.json": inner])
  }

  @Test("its nodes stand in its place, with its values, wired by its open ports")
  func inclusion() throws {
    let graph = try Self.files(#", "decibels": 3, "name": "x""#).graph()
    #expect(
      graph.nodes.map(\.name) == ["tone", "look/first", "look/split", "look/copy", "a", "b"])
    #expect((graph["look/first"]?.node as? CheckerNodes.Gain)?.decibels == 3)
    #expect((graph["look/copy"]?.node as? CheckerNodes.SoundSink)?.path == "x.wav")
    #expect(
      Set(graph.wires.map { "\($0.from) \($0.to)" }) == [
        "look/first.out look/split.in", "look/first.out look/copy.in", "tone.out look/first.in",
        "look/split.left a.in", "look/split.right b.in",
      ])
    // Written as one file, it is the same graph.
    let flat = try Graph(
      checking: GraphDocument(json: graph.document.json), catalog: CheckerNodes.catalog,
      environment: CheckerNodes.Machine())
    #expect(flat == graph)
  }

  @Test("a program includes a file as a node of a graph file does")
  func builder() throws {
    let files = try Self.files(#", "decibels": 3, "name": "x""#)
    var builder = GraphBuilder(catalog: CheckerNodes.catalog)
    let tone = builder.add("tone", CheckerNodes.Tone())
    let look = builder.include(
      "look", path: "\(files.folder)/parts/look.json",
      set: ["decibels": .number(3), "name": .string("x")])
    let a = builder.add("a", CheckerNodes.SoundSink()) { $0.path = "a" }
    let b = builder.add("b", CheckerNodes.SoundSink()) { $0.path = "b" }
    builder.connect(tone.output, to: look.input("sound"))
    builder.connect(look.output("left"), to: a.input)
    builder.connect(look.output("right"), to: b.input)
    #expect(try builder.build(in: CheckerNodes.Machine()) == files.graph())
  }

  @Test("what is wrong with a file that a program includes is thrown with all else")
  func wrongInclusions() throws {
    let files = try Self.files("")
    var builder = GraphBuilder(catalog: CheckerNodes.catalog)
    builder.include("gone", path: "\(files.folder)/gone.json")
    builder.include(
      "look", path: "\(files.folder)/parts/look.json",
      set: ["name": .string("x"), "decibel": .number(3)])
    builder.include("a b", path: "\(files.folder)/parts/look.json", set: ["name": .string("y")])
    let error = #expect(throws: GraphErrors.self) {
      try builder.build(in: CheckerNodes.Machine())
    }
    let text = "\(try #require(error))"
    #expect(text.contains("gone.json` can't be opened"), "\(text)")
    #expect(text.contains("`decibel`") && text.contains("did you mean `decibels`"), "\(text)")
    #expect(text.contains("`a b` can't be a name"), "\(text)")
  }

  @Test("it is used twice, and graphs are within graphs")
  func nesting() throws {
    let middle = """
      {
        "parameters": { "name": null }, "inputs": { "in": "one.sound" }, "outputs": { "out": "two" },
        "nodes": {
          "one": { "type": "graph", "path": "look.json", "name": "${name}" },
          "two": { "type": "gain" }
        },
        "wires": ["one.left -> two"]
      }
      """
    let outer = """
      {
        "nodes": {
          "tone": { "type": "tone" },
          "a": { "type": "graph", "path": "parts/middle.json", "name": "1" },
          "b": { "type": "graph", "path": "parts/middle.json", "name": "2" },
          "sink": { "type": "soundSink", "path": "s" }
        },
        "wires": ["tone -> a -> b -> sink"]
      }
      """
    let files = try Files([
      "g.json": outer, "parts/middle.json": middle, "parts/look.json": Self.look,
    ])
    let graph = try files.graph()
    #expect(
      graph.nodes.map(\.name) == [
        "tone", "a/one/first", "a/one/split", "a/one/copy", "a/two", "b/one/first", "b/one/split",
        "b/one/copy", "b/two", "sink",
      ])
    let copies = ["a/one/copy", "b/one/copy"].map { graph[$0]?.node as? CheckerNodes.SoundSink }
    #expect(copies.map { $0?.path } == ["1.wav", "2.wav"])
  }

  @Test(
    "what is wrong is said with both files' places",
    arguments: [
      (
        #", "name": "x", "decibel": 3"#, look,
        [
          "g.json:4:72: error: look.json has no parameter `decibel`; did you mean `decibels`?"
        ]
      ),
      (
        #", "name": "x", "decibels": "loud""#, look,
        [
          "g.json:4:84: error: `decibels` is text; write what is like -6"
        ]
      ),
      (
        "", look,
        [
          "g.json:4:5: error: look.json needs `name`; "
            + "add `\"name\": …`: it has no value of its own"
        ]
      ),
      (
        #", "name": "x""#, look.replacing("gain", with: "gian"),
        [
          "parts/look.json:6:24: error: there is no node type `gian`; did you mean `gain`? "
            + "(in `look` at g.json:4:5)"
        ]
      ),
      (
        #", "name": "x""#, look.replacing("\"wires\"", with: "\"wire\""),
        [
          "parts/look.json:10:3: error: `wire` is no part of a graph file; "
            + "did you mean `wires`? (in `look` at g.json:4:5)"
        ]
      ),
      (
        #", "name": "x""#, "{",
        [
          "parts/look.json:1:2: error: the file ends too early; a key in quotes is missing here "
            + "(in `look` at g.json:4:5)"
        ]
      ),
      (
        #", "name": "x""#, look.replacing("split.left", with: "splitt.left"),
        [
          "parts/look.json:4:25: error: there is no node `look/splitt`; "
            + "did you mean `look/split`? (in `look` at g.json:4:5)"
        ]
      ),
    ])
  func diagnostics(_ fields: String, _ inner: String, _ expected: [String]) throws {
    let found = try Self.files(fields, inner).complaints()
    #expect(found == expected)
  }

  @Test("wires to ports that it doesn't open, or to several, are said")
  func ports() throws {
    func complaints(_ wires: String) throws -> [String] {
      try Files([
        "g.json": Self.outer(#", "name": "x""#, wires: wires), "parts/look.json": Self.look,
      ]).complaints()
    }
    #expect(
      try complaints(#""tone -> look.sond""#) == [
        "g.json:8:22: error: `look` has no port `sond`; did you mean `sound`?"
      ])
    #expect(
      try complaints(#""tone -> look -> a""#) == [
        "g.json:8:22: error: several outputs of `look` fit; name one: `look.left` or `look.right`"
      ])
    #expect(
      try complaints(#""tone -> look.left""#) == [
        "g.json:8:22: error: `look.left` is an output; a wire ends at an input: `sound`"
      ])
  }

  @Test("by itself it is checked, and can't run")
  func alone() throws {
    let files = try Files(["look.json": Self.look.replacing("null", with: "\"x\"")])
    #expect(
      files.complaints("look.json") == [
        "look.json:3:15: error: the graph has open ports: `left`, `right` and `sound`; "
          + "name its file as the `path` of a `graph` node of another graph"
      ])
  }

  @Test("a file that isn't there, or is a part of itself, is said where it is named")
  func unreadable() throws {
    let files = try Files(["g.json": Self.outer("")])
    #expect(
      files.complaints().map { $0.prefix(44) } == [
        "g.json:4:40: error: `parts/look.json` can't "
      ])
    let circle = Self.look.replacing(
      #"{ "type": "splitter" }"#, with: #"{ "type": "graph", "path": "look.json" }"#)
    let expected =
      "parts/look.json:7:41: error: `parts/look.json` is a part of itself; name another file "
      + "(in `look` at g.json:4:5)"
    let found = try Self.files(#", "name": "x""#, circle).complaints()
    #expect(found.contains(expected))
  }
}
