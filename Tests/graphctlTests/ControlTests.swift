import Foundation
import GraphKit
import TestTools
import Testing

@Suite("A run that is controlled from outside", .inTurnOrAlone) struct ControlTests {
  private let graph = """
    { "nodes": {
        "picture": { "type": "testVideo", "width": 64, "height": 48, "live": true },
        "mask":    { "type": "channelMask" },
        "end":     { "type": "nullSink" } },
      "wires": ["picture -> mask -> end"] }
    """

  private func control(_ words: String..., in folder: Folder) async throws -> Graphctl.Result {
    try await Graphctl.run(["control", "s"] + words, in: folder)
  }

  @Test func changesAndEnds() async throws {
    let folder = try Folder()
    try folder.write("g.json", graph)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "g.json", "--events", "--control", "s", "--report", "r.json"], in: folder,
      output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"state\": \"running\""))
    let set = try await control("set", "mask.red=false", "mask.blue=false", in: folder)
    #expect(set == Graphctl.Result(status: 0, output: "", messages: ""))
    #expect(await lines.wait(for: "\"parameter\": \"blue\", \"value\": false, \"applied\": "))
    #expect(try await control("get", "mask.red", in: folder).output == "mask.red=false\n")
    let list = try await control("list", in: folder).output
    #expect(list == "mask.red=false  bool\nmask.green=true  bool\nmask.blue=false  bool\n")
    let wrong = try await control("set", "mask.rad=true", in: folder)
    #expect(wrong.status == 65)
    #expect(
      wrong.messages
        == "graphctl: error: mask: channelMask has no parameter `rad`; did you mean `red`?\n")
    let status = try await control("status", "--format", "json", in: folder).output
    #expect(status.hasPrefix("{ \"ok\": true, \"state\": \"running\", \"position\": "))
    let taken = try await Graphctl.run(["run", "g.json", "--control", "s"], in: folder)
    #expect(taken.status == 73)
    #expect(
      taken.messages
        == "graphctl: error: a program listens at `s` already; give each run its own socket\n")
    #expect(try await control("pause", in: folder).status == 0)
    #expect(await lines.wait(for: "\"state\": \"paused\""))
    #expect(try await control("resume", in: folder).status == 0)
    #expect(await lines.wait(for: "\"state\": \"running\""))
    let late = try await control("set", "mask.red=true", "--at", "9000", in: folder)
    #expect(late.status == 0)
    #expect(try await control("finish", in: folder).status == 0)
    lines.stop()
    #expect(try await run.result().status == 0)
    #expect(!folder.has("s"))
    let report = try JSONDecoder().decode(Report.self, from: folder.data("r.json"))
    #expect(report.changes.map(\.parameter) == ["red", "blue", "red"])
    #expect(report.changes.map { $0.applied != nil } == [true, true, false])
    #expect(report.changes[2].requested == MediaTime(value: 9000, timescale: 1))
  }

  @Test("objects and lists come from the command line, and what is no number or time is said")
  func values() async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "parameters": { "places": null },
        "nodes": {
          "a": { "type": "testVideo", "width": 64, "height": 48, "live": true },
          "b": { "type": "testVideo", "width": 64, "height": 48, "live": true },
          "bend": { "type": "curves" }, "light": { "type": "gamma" },
          "mix": { "type": "mixVideo", "places": "${places}" }, "end": { "type": "nullSink" } },
        "wires": ["a -> bend -> light -> mix -> end", "b -> mix.in.2"] }
      """)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "g.json", "--events", "--control", "s", "--set", #"places={"in.2":{"x":8}}"#],
      in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"state\": \"running\""))
    let place = #"mix.places={"in.2":{"x":6,"y":6,"width":30}}"#
    #expect(try await control("set", place, in: folder).messages == "")
    #expect(await lines.wait(for: #""parameter": "places", "value": "#))
    let words = { (_ words: String...) async throws in
      try await Graphctl.run(["control", "s", "set"] + words, in: folder).messages
    }
    #expect(
      try await words("bend.master=[[2,0],[3,1]]")
        == "graphctl: error: bend: `master[0][0]` is 2; it goes from 0 to 1\n")
    for points in ["[[]]", "[[0,0],[0.5]]", "[[0,0],[0.5,0.5,1]]"] {
      let index = points.hasPrefix("[[]") ? 0 : 1
      #expect(
        try await words("bend.master=\(points)")
          == "graphctl: error: bend: `master[\(index)]` is a list; write a list of 2: `[ … ]`\n")
    }
    #expect(
      try await words("light.gamma=1e999")
        == "graphctl: error: light: `gamma` is `1e999`; write a number\n")
    #expect(
      try await words("light.gamma=2", "--at", "1e30")
        .contains("--at is too large a time; give at most 9000000000 seconds"))
    #expect(try await control("finish", in: folder).status == 0)
    lines.stop()
    #expect(try await run.result().status == 0)
  }

  @Test func nobodyListens() async throws {
    let folder = try Folder()
    try folder.write("g.json", graph)
    #expect(try await control("status", in: folder).status == 69)
    try folder.write("s", "")
    #expect(try await control("status", in: folder).status == 69)
    #expect(
      try await Graphctl.run(["run", "g.json", "--control", "s"], in: folder).status == 73)
    #expect(
      try await Graphctl.run(["run", "g.json", "--control", "g.json"], in: folder).status == 64)
  }

  @Test(arguments: [
    ["set"], ["set", "mask.red"], ["get", "a.b", "c.d"], ["status", "x"], ["stop"],
    ["pause", "--at", "1"], ["set", "a.b=1", "--at", "-1"], ["set", "a.b=1", "a.b=2"],
  ])
  func wrongWords(words: [String]) async throws {
    #expect(try await Graphctl.run(["control", "s"] + words, in: Folder()).status == 64)
  }
}
