import Foundation
import GraphKit
import TestTools
import Testing

@Suite(.inTurnOrAlone) struct SignalTests {
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

  /// A thread goes into an element and doesn't come back.
  private let hang = """
    { "nodes": { "tone": { "type": "testAudio", "live": true },
        "hang": { "type": "gst", "element": "identity", "properties": { "sleep-time": 60000000 } },
        "sink": { "type": "nullSink" } },
      "wires": ["tone -> hang -> sink"] }
    """

  @Test(arguments: [SIGINT, SIGTERM])
  func theFirstSignalEndsARunWhoseThreadHangs(signal: Int32) async throws {
    let folder = try Folder()
    try folder.write("hang.json", hang)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "hang.json", "--events", "--quiet", "--stall-timeout", "1000", "--report", "r.json"],
      in: folder, output: pipe)
    let lines = Lines(of: pipe)
    // By then the element has taken a sample, and no more fit into the wire.
    #expect(await lines.wait(for: "\"event\": \"drop\""))
    run.send(signal)
    let result = try await run.result()
    lines.stop()
    #expect(result.status == 75 && result.messages.contains("`identity`"), "\(result)")
    #expect(folder.text("r.json").contains("`identity`"))
  }

  @Test func aStallWhoseThreadHangsEndsTheRun() async throws {
    let folder = try Folder()
    try folder.write("hang.json", hang)
    let result = try await Graphctl.run(
      ["run", "hang.json", "--stall-timeout", "1", "--report", "r.json"], in: folder)
    #expect(result.status == 75 && result.messages.contains("nothing moved for 1 s"), "\(result)")
    #expect(folder.text("r.json").contains("\"node\": \"hang\""))
  }

  @Test func aSignalEndsARunWhoseElementsNeverGetReady() async throws {
    let folder = try Folder()
    try await Tool.run("mkfifo", ["pipe"], in: folder.url)
    try folder.write(
      "pipe.json",
      """
      { "nodes": {
          "pipe": { "type": "gst", "element": "filesrc", "properties": { "location": "pipe" } },
          "sink": { "type": "nullSink" } }, "wires": ["pipe -> sink"] }
      """)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "pipe.json", "--events", "--stall-timeout", "1000"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"state\": \"preparing\""))
    run.send(SIGTERM)
    #expect(try await run.result().status == -SIGTERM)
    lines.stop()
  }

  @Test func aFileThatMayNotGrowIsFinishedInOrder() async throws {
    let folder = try Folder()
    try folder.write(
      "long.json", smallGraph.replacingOccurrences(of: "\"seconds\": 0.5", with: "\"seconds\": 20"))
    let run = try Graphctl.Running(
      ["run", "long.json"], in: folder, through: ["prlimit", "--fsize=60000"])
    let result = try await run.result()
    #expect(result.status == 71 && result.messages.contains("at most 60000 bytes"), "\(result)")
    let movie = try MovieReader.read("\(folder.path)/small.mp4")
    #expect(movie.duration > 0 && !movie.isFragmented)
  }

  @Test func aRecordingThatWasStoppedSaysWhatMayBeMissing() async throws {
    let folder = try Folder()
    try folder.write("endless.json", endlessGraph)
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "endless.json", "--events", "--quiet", "--report", "r.json"], in: folder, output: pipe
    )
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"event\": \"progress\", \"position\": 1"))
    run.send(SIGSTOP)
    // The time that it stands still is what this is about.
    try await Tool.run("sleep", ["1.5"], in: folder.url)
    run.send(SIGCONT)
    #expect(await lines.wait(for: "the process stood still for"))
    run.send(SIGTERM)
    #expect(try await run.result().status == 0)
    lines.stop()
    #expect(folder.text("r.json").contains("audio of that time may be missing"))
  }
}
