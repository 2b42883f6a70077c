import Foundation
import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct SignalTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalFinishesTheMovie(signal: Int32) async throws {
    let folder = try Folder()
    try folder.write("endless.json", endlessGraph)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "endless.json", "--events", "--quiet"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"event\": \"progress\", \"position\": 1"))
    run.send(signal)
    // Whoever reads the events may leave; the movie is more important.
    lines.stop()
    let result = try await run.result()
    #expect((result.status, result.messages) == (0, ""))
    let movie = try MovieReader.read("\(folder.path)/endless.mp4")
    #expect(movie.tracks.count == 2 && !movie.isFragmented)
    #expect(movie.duration >= 1)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSecondSignalEndsTheProcess(signal: Int32) async throws {
    let folder = try Folder()
    try folder.write("still.json", stillGraph)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "still.json", "--events", "--stall-timeout", "1000"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"state\": \"running\""))
    run.send(signal)
    // Nobody reads the graph's output, so that it can't finish.
    #expect(await lines.wait(for: "\"state\": \"finishing\""))
    run.send(signal)
    #expect(try await run.result().status == -signal)
  }

  @Test func whatASignalCutsOffIsTold() async throws {
    let folder = try Folder()
    try folder.write(
      "long.json",
      """
      { "nodes": { "tone": { "type": "testAudio" }, "waveform": { "type": "waveform" },
                   "points": { "type": "peaksSink", "path": "a.dat" } },
        "wires": ["tone -> waveform -> points"] }
      """)
    let pipe = Pipe()
    let run = try Graphctl.Running(["run", "long.json", "--events"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"state\": \"running\""))
    run.send(SIGTERM)
    let result = try await run.result()
    lines.stop()
    #expect(result.status == 0 && result.messages.contains("a signal ended it"), "\(result)")
  }

  @Test func aSignalBeforeTheRunEndsTheProcess() async throws {
    let folder = try Folder()
    // A graph that never comes: the command waits for standard input.
    let run = try Graphctl.Running(["run", "-"], in: folder, inputPipe: Pipe())
    run.send(SIGTERM)
    #expect(try await run.result().status == -SIGTERM)
  }
}
