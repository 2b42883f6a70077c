import Foundation
import GraphKit
import TestTools
import Testing

/// `graphctl control SOCKET mark TITLE`, of recordings that end and of those that are killed.
@Suite(.inTurnOrAlone) struct MarkTests {
  private func chapters(_ name: String, in folder: Folder) async throws -> [String] {
    let words =
      "ffprobe -v error -show_entries chapter_tags=title -of default=nk=1:nw=1 \(name) > titles"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    return folder.text("titles").split(separator: "\n").map(String.init)
  }

  private func complaints(_ name: String, in folder: Folder) async throws -> String {
    let words =
      "(ffmpeg -nostdin -v warning -i \(name) -f null - && ffprobe -v warning -show_packets \(name))"
      + " 2>&1 >packets | grep -v 'Unsupported codec with id 98314' > said; true"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    return folder.text("said")
  }

  private func mark(_ words: String..., in folder: Folder) async throws -> Graphctl.Result {
    try await Graphctl.run(["control", "s", "mark"] + words, in: folder)
  }

  @Test(arguments: [true, false]) func marksAreThereHoweverItEnds(isKilled: Bool) async throws {
    let folder = try Folder()
    try folder.write("g.json", endlessGraph)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "g.json", "--events", "--control", "s", "--report", "r.json"], in: folder,
      output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"position\": 1"))
    for title in ["goal", "Größe 𝄞", "-1"] {
      #expect(try await mark("--", title, in: folder) == .init(status: 0, output: "", messages: ""))
      let event = #""event": "mark", "node": "movie", "title": "\#(title)""#
      #expect(await lines.wait(for: event))
    }
    // Whatever the encoders hold, there is a fragment after the last mark by then.
    for _ in 0..<15 { #expect(await lines.wait(for: "\"event\": \"progress\"")) }
    let empty = try await mark(" ", in: folder)
    #expect(empty.status == 65)
    #expect(
      empty.messages
        == "graphctl: error: the mark has no title; say what it is called: \"goal\"\n")
    if isKilled {
      run.send(SIGKILL)
    } else {
      #expect(try await Graphctl.run(["control", "s", "finish"], in: folder).status == 0)
    }
    lines.stop()
    #expect(try await run.result().status == (isKilled ? -SIGKILL : 0))
    #expect(try await complaints("endless.mp4", in: folder) == "")
    if isKilled {
      #expect(try await Graphctl.run(["repair", "endless.mp4"], in: folder).status == 0)
      #expect(try await complaints("endless.mp4", in: folder) == "")
    } else {
      let report = try JSONDecoder().decode(Report.self, from: folder.data("r.json"))
      #expect(report.marks?.map(\.title) == ["goal", "Größe 𝄞", "-1"])
    }
    #expect(try await chapters("endless.mp4", in: folder) == ["goal", "Größe 𝄞", "-1"])
  }

  @Test func aLongTitleIsCut() async throws {
    let folder = try Folder()
    try folder.write("g.json", endlessGraph)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "g.json", "--events", "--control", "s"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"position\": 1"))
    let long = String(repeating: "x", count: 100_000)
    let answer = try await Graphctl.run(
      ["control", "s", "mark", long, "--format", "json"], in: folder)
    #expect(answer.status == 0 && answer.output.contains("\"title\": \"\(long.prefix(1_024))\""))
    #expect(answer.output.hasPrefix("{ \"ok\": true, \"marks\": [{ \"node\": \"movie\", "))
    #expect(try await Graphctl.run(["control", "s", "finish"], in: folder).status == 0)
    lines.stop()
    #expect(try await run.result().status == 0)
    #expect(try await chapters("endless.mp4", in: folder) == ["\(long.prefix(1_024))"])
  }

  @Test(arguments: [["mark"], ["mark", "two", "words"], ["mark", "x", "--at", "1"]])
  func wrongWords(_ words: [String]) async throws {
    #expect(try await Graphctl.run(["control", "s"] + words, in: Folder()).status == 64)
  }
}
