import Foundation
import GraphKit
import TestTools
import Testing

/// Reports, traces and events: what a run writes beside its movie.
@Suite(.inTurn) struct DataFileTests {
  private func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    return folder
  }

  @Test(arguments: [
    (
      ["--report", "x.json", "--trace", "./x.json"],
      "--trace can't write `./x.json`, which --report writes"
    ),
    (["--report", "small.json"], "--report can't write `small.json`, which is the graph file"),
    (["--trace", "link.json"], "--trace can't write `link.json`, which is the graph file"),
    (["--report", "small.mp4"], "--report can't write `small.mp4`, which is what `movie` writes"),
  ])
  func noFileIsLostToAReport(arguments: [String], words: String) async throws {
    let folder = try folder()
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/link.json", withDestinationPath: "small.json")
    let result = try await Graphctl.run(["run", "small.json"] + arguments, in: folder)
    let message = "graphctl: error: \(words); give another path\n"
    #expect(result == .init(status: 64, output: "", messages: message))
    #expect(folder.text("small.json") == smallGraph)
    #expect(!folder.has("small.mp4") && !folder.has("x.json"))
  }

  @Test(
    "no file that is read is lost to a report, by whatever reads it",
    arguments: [
      ("small.mp4", ""), ("small.mp4", #", "isolate": true"#), ("small.mp4", #", "loop": 2"#),
      ("small.wav", ""), ("small.gif", ""),
    ])
  func noSourceIsLostToAReport(name: String, parameters: String) async throws {
    let folder = try folder()
    #expect(try await Graphctl.run(["run", "small.json"], in: folder).status == 0)
    try Tool.generate(["-f", "lavfi", "-i", "sine=d=1"], to: "small.wav", in: folder)
    try Tool.generate(["-f", "lavfi", "-i", "testsrc2=s=32x32:d=1"], to: "small.gif", in: folder)
    let before = try folder.data(name)
    let port = name.hasSuffix("gif") ? "video" : "audio"
    try folder.write(
      "read.json",
      """
      { "nodes": { "in": { "type": "file", "path": "\(name)"\(parameters) },
          "end": { "type": "nullSink" } },
        "wires": ["in.\(port) -> end"] }
      """)
    let result = try await Graphctl.run(["run", "read.json", "--trace", name], in: folder)
    #expect(result.status == 64, "\(result)")
    #expect(result.messages.contains("which is what `in` reads"), "\(result)")
    #expect(try folder.data(name) == before)
  }

  @Test(
    "no file of a filter, or picture of a sequence, is lost to a report",
    arguments: [
      ("logo.png", #""in": \#(video), "it": { "type": "overlay", "path": "logo.png" }"#),
      ("x.cube", #""in": \#(video), "it": { "type": "lut", "path": "x.cube" }"#),
      ("04.png", #""it": { "type": "imageSequence", "path": "%02d.png" }"#),
      ("04.png", #""it": { "type": "imageSequence", "path": "*.png" }"#),
    ])
  func noFileOfAFilterIsLostToAReport(name: String, nodes: String) async throws {
    let folder = try folder()
    let isSequence = nodes.contains("imageSequence")
    try Tool.generate(
      ["-f", "lavfi", "-i", "color=red:s=16x16:d=0.04"], to: isSequence ? name : "logo.png",
      in: folder)
    try folder.write("x.cube", "LUT_3D_SIZE 2\n" + String(repeating: "0 0 0\n", count: 8))
    let before = try folder.data(name)
    let wire = isSequence ? "it -> end" : "in -> it -> end"
    try folder.write(
      "g.json",
      """
      { "nodes": { \(nodes), "end": { "type": "nullSink" } }, "wires": ["\(wire)"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--report", name], in: folder)
    #expect(result.status == 64, "\(result)")
    #expect(result.messages.contains("which is what `it` reads"), "\(result)")
    #expect(try folder.data(name) == before)
  }

  private static let video = #"{ "type": "testVideo", "seconds": 1 }"#

  @Test func aGraphDoesNotOverwriteItself() async throws {
    let folder = try Folder()
    let text = """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
          "out": { "type": "wavSink", "path": "g.json" } },
        "wires": ["tone -> out"] }
      """
    try folder.write("g.json", text)
    let result = try await Graphctl.run(["run", "g.json", "--overwrite"], in: folder)
    #expect(result.status == 64 && folder.text("g.json") == text, "\(result)")
  }

  @Test func anOldReportIsReplaced() async throws {
    let folder = try folder()
    try folder.write("report.json", String(repeating: "old", count: 100_000))
    let result = try await Graphctl.run(
      ["run", "small.json", "--report", "report.json", "--trace", "/dev/null"], in: folder)
    #expect(result.status == 0)
    let report = try JSONDecoder().decode(Report.self, from: folder.data("report.json"))
    #expect(report.state == .completed)
  }

  @Test func eventsThatDoNotArriveAreAFailure() async throws {
    let folder = try folder()
    let words = "\"$0\" run small.json --quiet --events > /dev/full 2> errors; echo $? > status"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    #expect(folder.text("status") == "74\n")
    #expect(
      folder.text("errors")
        == "standard output can't be written to: No space left on device\n")
    #expect(try MovieReader.read("\(folder.path)/small.mp4").tracks.count == 2)
  }

  /// The number of a closed output would go to the next file or socket that is opened.
  @Test(arguments: ["--format json", "--events"])
  func aClosedOutputIsAnError(option: String) async throws {
    let folder = try folder()
    let words = "\"$0\" run small.json \(option) >&- 2> said; echo $? > status"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    #expect(folder.text("status") == "74\n")
    #expect(folder.text("said").contains("standard output can't be written to"))
  }
}
