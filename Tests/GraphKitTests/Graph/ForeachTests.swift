import TestTools
import Testing

@testable import GraphKit

@Suite("Nodes for the items of a list", .inTurn)
struct ForeachTests {
  private func json(_ gain: String, _ sink: String, wires: String = "tone -> gain -> sink")
    -> String
  {
    """
    { "parameters": { "levels": [-3, -6], "takes": [{ "name": "a", "level": 1 }] },
      "nodes": { "tone": { "type": "tone" }, "gain": { "type": "gain", \(gain) },
        "sink": { "type": "soundSink", \(sink) } },
      "wires": ["\(wires)"] }
    """
  }

  private let each = #""foreach": "${levels}", "decibels": "${item}""#
  private let files = #""foreach": "${levels}", "path": "${item}.wav""#

  private func gains(_ graph: Graph) -> [Double] {
    graph.nodes.compactMap { ($0.node as? CheckerNodes.Gain)?.decibels }
  }

  @Test("a node is made for each item, and wired to that of the same item")
  func renditions() throws {
    let graph = try CheckerNodes.graph(
      json(each, files), set: ["takes": "[]"])
    #expect(graph.nodes.map(\.name) == ["tone", "gain/1", "gain/2", "sink/1", "sink/2"])
    #expect(gains(graph) == [-3, -6])
    #expect(
      graph.wires.map { "\($0.from) \($0.to)" } == [
        "tone.out gain/1.in", "tone.out gain/2.in", "gain/1.out sink/1.in", "gain/2.out sink/2.in",
      ])
    #expect((graph["sink/2"]?.node as? CheckerNodes.SoundSink)?.path == "-6.wav")
  }

  @Test("lists are set on the command line", arguments: ["1,2.5,3", "[1, 2.5, 3]", "1, 2.5, 3"])
  func setting(_ text: String) throws {
    #expect(try gains(CheckerNodes.graph(json(each, files), set: ["levels": text])) == [1, 2.5, 3])
  }

  @Test("an item may have parts")
  func parts() throws {
    let graph = try CheckerNodes.graph(
      json(
        #""foreach": "${takes}", "decibels": "${item.level}""#,
        #""foreach": "${takes}", "path": "${item.name}.wav""#), set: ["levels": "[]"])
    #expect(gains(graph) == [1])
    #expect((graph["sink/1"]?.node as? CheckerNodes.SoundSink)?.path == "a.wav")
  }

  @Test("several lead to one with a repeatable input")
  func gathering() throws {
    let graph = try CheckerNodes.graph(
      """
      { "nodes": { "tone": { "type": "tone", "foreach": [200, 300], "frequency": "${item}" },
          "mixer": { "type": "mixer" }, "sink": { "type": "soundSink", "path": "x" } },
        "wires": ["tone -> mixer -> sink"] }
      """)
    #expect(
      graph.wires.map { "\($0.from) \($0.to)" } == [
        "tone/1.out mixer.in", "tone/2.out mixer.in.2", "mixer.out sink.in",
      ])
  }

  @Test("what doesn't go together is said")
  func complaints() {
    func complaints(_ gain: String, _ sink: String) -> [String] {
      CheckerNodes.complaints(json(gain, sink)).filter { !$0.contains("warning") }
    }
    #expect(
      complaints(each, #""foreach": [1, 2, 3], "path": "${item}.wav""#) == [
        "g.json:4:30: error: there are 2 of `gain` and 3 of `sink`; "
          + "give both the same list in `foreach`"
      ])
    #expect(
      complaints(#""foreach": 3"#, files) == [
        "g.json:2:79: error: `foreach` is a number; write a list: `[ … ]`"
      ])
    #expect(
      complaints(#""foreach": [1], "decibels": "x${levels}""#, files) == [
        "g.json:2:98: error: `${levels}` is a list, which can't stand within a text; "
          + "write `${levels}` alone, or a part of it: `${levels.…}`"
      ])
    #expect(
      complaints(#""foreach": "${takes}", "decibels": "${item.levl}""#, files) == [
        "g.json:2:104: error: `item` has no `levl`; did you mean `level`?"
      ])
    #expect(
      complaints(#""decibels": "${item}""#, files).first
        == [
          "g.json:2:81: error: there is no parameter `item`; "
            + "add it to `parameters`, or `--set item=…`"
        ].first)
  }

  @Test("a list is no way to more nodes than a graph may have, which is said alone")
  func bounds() {
    let list = "[" + Array(repeating: "1", count: 5000).joined(separator: ",") + "]"
    let complaints = CheckerNodes.complaints(json("\"foreach\": \(list)", files))
    #expect(
      complaints.filter { !$0.contains(": warning: ") } == [
        "g.json:2:42: error: the graph has more than 4096 nodes; split it into several graphs"
      ], "\(complaints.prefix(3))")
  }
}
