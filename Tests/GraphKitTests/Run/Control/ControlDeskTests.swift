import Nodes
import TestTools
import Testing

@testable import GraphKit

@Suite("Lines that ask something of a run", .inTurn)
struct ControlDeskTests {
  private let desk: ControlDesk

  init() throws {
    let graph = try Graph(
      checking: GraphDocument(
        json: """
          { "nodes": {
              "tone": { "type": "testAudio", "seconds": 1 }, "level": { "type": "gain" },
              "end": { "type": "nullSink" } },
            "wires": ["tone -> level -> end"] }
          """), catalog: .builtIn, environment: LiveEnvironment())
    desk = ControlDesk(pipeline: try Pipeline(Plan(graph), environment: LiveEnvironment()))
  }

  private func answer(_ line: String) -> String {
    String(decoding: desk.answer(Array(line.utf8)), as: UTF8.self)
  }

  @Test("values come as JSON or as the text of it, and the line's id comes back")
  func set() {
    #expect(
      answer(#"{"command":"set","values":{"level.decibels":-6},"id":7}"#)
        == #"{ "id": 7, "ok": true }"#)
    #expect(
      answer(#"{"command":"set","values":{"level.decibels":"-7"},"at":0.5}"#) == #"{ "ok": true }"#)
    let waiting = desk.pipeline.storage.lowered.changes["level"]?.waiting ?? []
    #expect(waiting.map(\.value) == [-6, -7])
    #expect(waiting.map(\.requested?.seconds) == [nil, 0.5])
  }

  @Test("get, list and status show what there is")
  func shows() {
    #expect(
      answer(#"{"command":"get"}"#) == #"{ "ok": true, "values": { "level.decibels": 0 } }"#)
    #expect(
      answer(#"{"command":"get","parameter":"tone.seconds"}"#)
        == #"{ "ok": true, "values": { "tone.seconds": 1 } }"#)
    #expect(
      answer(#"{"command":"list"}"#)
        == #"{ "ok": true, "parameters": [{ "parameter": "level.decibels", "value": 0, "#
        + #""type": "number", "minimum": -144, "maximum": 48, "unit": "dB", "#
        + #""help": "How much louder; softer where negative." }] }"#)
    #expect(answer(#"{"command":"status"}"#).hasPrefix(#"{ "ok": true, "state": "idle", "#))
  }

  @Test(
    "what can't be done is answered with what is wrong and what to do",
    arguments: [
      ("", "the line is empty"), (" \r", "the line is empty"),
      ("{", "column 2: the file ends too early"),
      ("garbage", "column 1: `garbage` where a value should be"), ("[1]", "the line is a list"),
      (#"{"a":1,"a":2}"#, "column 8: `a` is already given in line 1, column 2"),
      ("{}", "the object has no `command`"), (#"{"command":5}"#, "the object has no `command`"),
      (#"{"command":"stop"}"#, "there is no command `stop`"),
      (#"{"command":"set"}"#, "`set` without values"),
      (#"{"command":"set","values":[1]}"#, "`values` is a list"),
      (#"{"command":"set","values":{"level.decibels":1},"at":"x"}"#, "`at` is text"),
      (
        #"{"command":"set","values":{"level.decibels":1},"at":-1}"#,
        "-1.000 s is no time of a sample"
      ),
      (#"{"command":"set","values":{"level.decibels":null}}"#, "level: `decibels` is null"),
      (#"{"command":"set","values":{"levl.decibels":1}}"#, "there is no node `levl`"),
      (#"{"command":"get","parameter":1}"#, "`parameter` is a number"),
      (#"{"command":"get","parameter":"level.x"}"#, "level: gain has no parameter `x`"),
      (#"{"command":"mark","title":1}"#, "`title` is a number"),
      (#"{"command":"mark"}"#, "the mark has no title"),
      (#"{"command":"mark","title":"goal"}"#, "the run hasn't begun"),
      (#"{"command":"get","title":"goal"}"#, "`get` has no `title`"),
      (#"{"command":"pause","at":1}"#, "`pause` has no `at`"),
    ])
  func refuses(line: String, message: String) {
    #expect(answer(line).hasPrefix(#"{ "ok": false, "error": "\#(message)", "remedy": ""#))
  }

  @Test("a number that is too large is said to be that")
  func tooLarge() {
    #expect(
      answer(#"{"command":"set","values":{"level.decibels":1},"at":1000000000000000000}"#).contains(
        #"is too large to be held exactly", "remedy": "write a smaller number"#))
  }

  @Test("whatever comes, an answer of one line goes")
  func garbage() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let line = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
      let answer = desk.answer(line)
      #expect(!answer.contains(UInt8(ascii: "\n")) && answer.starts(with: #"{ "ok": false"#.utf8))
    }
    let deep = Array(repeating: UInt8(ascii: "["), count: 60_000)
    #expect(desk.answer(deep).starts(with: #"{ "ok": false"#.utf8))
  }
}
