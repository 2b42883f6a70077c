import Foundation
import TestTools
import Testing

/// Text that can't be drawn, or only in minutes, is refused, at first and while the graph runs.
@Suite(.inTurn) struct LongTextTests {
  private func graph(_ text: String) -> String {
    """
    { "nodes": {
        "picture": { "type": "testVideo", "width": 64, "height": 48, "live": true },
        "title": { "type": "text", "text": "\(text)" },
        "end": { "type": "nullSink" } },
      "wires": ["picture -> title -> end"] }
    """
  }

  @Test(arguments: [
    (String(repeating: "x", count: 2001), "the text has 2001 characters"),
    // One letter to a reader, and many to the font.
    ("e" + String(repeating: "\u{301}", count: 2000), "the text has 2001 characters"),
    (String(repeating: "\\n", count: 100), "the text has 101 lines"),
    (String(repeating: "{a", count: 500_000), "the text has 1000000 characters"),
  ])
  func textThatWouldTakeMinutesToDrawIsRefused(text: String, message: String) async throws {
    let folder = try Folder()
    try folder.write("g.json", graph(text))
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status == 65)
    #expect(
      result.messages == "g.json:3:40: error: \(message); give at most 2000 characters in at most "
        + "100 lines\n")
  }

  @Test func aMachineWithoutFontsIsSaidToBeOne() async throws {
    let folder = try Folder()
    try folder.write("g.json", graph("short"))
    try folder.write("fonts.conf", "<fontconfig><dir>/nowhere</dir></fontconfig>")
    let result = try await Graphctl.run(
      ["check", "g.json"], in: folder,
      environment: ["FONTCONFIG_FILE": folder.path + "/fonts.conf"])
    #expect(result.status == 65)
    #expect(
      result.messages.contains("there are no fonts on this machine; install one"),
      "\(result.messages)")
  }

  @Test func theRunGoesOnWhereSuchTextIsRefusedLive() async throws {
    let folder = try Folder()
    try folder.write("g.json", graph("short"))
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "g.json", "--events", "--control", "s"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"state\": \"running\""))
    let long = String(repeating: "x", count: 25_000)
    let answer = try await Graphctl.run(["control", "s", "set", "title.text=\(long)"], in: folder)
    #expect(
      answer
        == .init(
          status: 65, output: "",
          messages: "graphctl: error: title: the text has 25000 characters; give at most 2000 "
            + "characters in at most 100 lines\n"))
    let other = try await Graphctl.run(
      ["control", "s", "set", "title.text=" + long.prefix(2000)], in: folder)
    #expect(other == .init(status: 0, output: "", messages: ""))
    #expect(await lines.wait(for: "\"parameter\": \"text\""))
    #expect(try await Graphctl.run(["control", "s", "finish"], in: folder).status == 0)
    lines.stop()
    #expect(try await run.result().status == 0)
  }
}
