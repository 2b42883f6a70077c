import TestTools
import Testing

@testable import GraphKit

@Suite("Parameters of a graph", .inTurn)
struct SubstitutionTests {
  private func json(_ parameters: String, _ fields: String) -> String {
    """
    { "parameters": { \(parameters) },
      "nodes": { "a": { "type": "tone", \(fields) },
        "b": { "type": "soundSink", "path": "/dev/null" } },
      "wires": ["a -> b"] }
    """
  }

  private func value(
    _ key: String, _ parameters: String, _ fields: String, set: [String: String] = [:]
  ) throws -> JSONValue? {
    try CheckerNodes.graph(json(parameters, fields), set: set)["a"]?.parameters[key]
  }

  @Test("a text that is just ${name} takes the parameter's typed value")
  func typed() throws {
    #expect(try value("channels", #""n": 4"#, #""channels": "${n}""#) == .number(4))
    #expect(try value("live", #""n": true"#, #""live": "${n}""#) == .bool(true))
    #expect(try value("wave", #""n": "square""#, #""wave": "${n}""#) == .string("square"))
  }

  @Test("what is set is read as the default is typed")
  func overriding() throws {
    let set = ["n": "8"]
    #expect(try value("channels", #""n": 4"#, #""channels": "${n}""#, set: set) == .number(8))
    let flag = try value("live", #""n": true"#, #""live": "${n}""#, set: ["n": "false"])
    #expect(flag == .bool(false))
  }

  @Test("without a default it is read as the node's parameter wants it")
  func untyped() throws {
    let set = ["n": "8"]
    #expect(try value("channels", #""n": null"#, #""channels": "${n}""#, set: set) == .number(8))
    #expect(try value("channels", "", #""channels": "${n}""#, set: set) == .number(8))
    let flag = try value("live", "", #""live": "${n}""#, set: ["n": "true"])
    #expect(flag == .bool(true))
  }

  @Test(
    "inside a longer text a value is put in as it is written",
    arguments: [
      ("x-${n}-${m}.mp4", "x-4-y.mp4"), ("$${n}", "${n}"), ("$$${n}", "$${n}"),
      ("$n {n} $", "$n {n} $"),
      ("${m}${m}", "yy"), ("é${m}🎬", "éy🎬"),
    ])
  func interpolation(_ text: String, _ result: String) throws {
    let json = """
      { "parameters": { "n": 4, "m": "y" },
        "nodes": { "a": { "type": "tone", "channels": "${n}" },
          "b": { "type": "soundSink", "path": "/${m}/\(text)" } },
        "wires": ["a -> b"] }
      """
    #expect(try CheckerNodes.graph(json)["b"]?.parameters["path"] == .string("/y/" + result))
  }

  @Test("escaping undoes itself", arguments: ["${a}", "$${a}", "$$${", "${", "$", "a$b{c}", ""])
  func escaping(_ text: String) {
    let pieces = ReferenceText(ReferenceText.escaping(text)).parts
    #expect(pieces == (text.isEmpty ? [] : [.plain(text)]))
  }

  @Test(
    "what is wrong with parameters",
    arguments: [
      (
        #""n": null"#, #""channels": "${n}""#, [:],
        ["g.json:2:50: error: the parameter `n` has no value; set one: `--set n=…`"]
      ),
      (
        "", #""channels": "${n}""#, [:],
        ["g.json:2:50: error: there is no parameter `n`; add it to `parameters`, or `--set n=…`"]
      ),
      (
        #""count": 2"#, #""channels": "${cuont}""#, [:],
        ["g.json:2:50: error: there is no parameter `cuont`; did you mean `count`?"]
      ),
      (
        #""n": 2"#, #""channels": "${n}""#, ["m": "1"],
        ["g.json: error: the graph has no parameter `m` to set; did you mean `n`?"]
      ),
      (
        #""n": 2"#, #""channels": "${n}""#, ["n": "two"],
        ["g.json: error: `two` is no value for `n`; set it to a number"]
      ),
      (
        #""n": true"#, #""live": "${n}""#, ["n": "yes"],
        ["g.json: error: `yes` is no value for `n`; set it to true or false"]
      ),
      (
        #""n": 2"#, #""channels": 2"#, [:],
        [
          "g.json:1:19: warning: nothing uses the parameter `n`; write `${n}` somewhere, or remove it"
        ]
      ),
      (
        "", #""wave": "x${a b}""#, [:],
        ["g.json:2:47: error: `${a` names no parameter; write `${name}`, or `$${` for a plain `${`"]
      ),
      (
        "", #""wave": "\u0041${""#, [:],
        ["g.json:2:52: error: `${` names no parameter; write `${name}`, or `$${` for a plain `${`"]
      ),
    ] as [(String, String, [String: String], [String])])
  func wrong(_ parameters: String, _ fields: String, _ set: [String: String], _ lines: [String]) {
    #expect(CheckerNodes.complaints(json(parameters, fields), set: set) == lines)
  }

  @Test("a parameter without a value is told at each place that uses it, and nothing else is")
  func everyUse() {
    let json = """
      { "parameters": { "n": null },
        "nodes": {
          "a": { "type": "tone", "channels": "${n}", "wave": "${n}" },
          "b": { "type": "soundSink", "path": "/x/${n}" } },
        "wires": ["a -> b"] }
      """
    #expect(
      CheckerNodes.complaints(json) == [
        "g.json:3:41: error: the parameter `n` has no value; set one: `--set n=…`",
        "g.json:3:57: error: the parameter `n` has no value; set one: `--set n=…`",
        "g.json:4:45: error: the parameter `n` has no value; set one: `--set n=…`",
      ])
  }

  private func longText(_ counts: [Int], bytes: Int) -> [String] {
    let texts = counts.map { String(repeating: "${n}", count: $0) }
    let tags = texts.enumerated().map { "\"t\($0)\": \"\($1)\"" }.joined(separator: ", ")
    return CheckerNodes.complaints(
      """
      { "parameters": { "n": "\(String(repeating: "x", count: bytes))" },
        "nodes": { "a": { "type": "tone" }, "e": { "type": "soundEncoder" },
          "b": { "type": "movieSink", "path": "a.mp4", "tags": {
      \(tags) } } },
        "wires": ["a -> e -> b"] }
      """)
  }

  @Test("a text doesn't grow longer than a file may be")
  func longText() {
    #expect(longText([10], bytes: 100_000) == [])
    #expect(
      longText([10_000, 3], bytes: 100_000) == [
        "g.json:4:48: error: `${n}` makes the text longer than 1048576 bytes; give `n` a shorter "
          + "value, or use it less often"
      ])
  }

  @Test("nor do all of them together grow without bounds")
  func muchText() {
    #expect(longText(Array(repeating: 10, count: 16), bytes: 100_000) == [])
    let found = longText(Array(repeating: 10, count: 40), bytes: 100_000)
    #expect(found.count == 1, "\(found)")
    #expect(
      found[0].hasSuffix(
        "`${n}` makes the graph's texts together longer than 16777216 bytes; give `n` a shorter "
          + "value, or use it less often"))
  }
}
