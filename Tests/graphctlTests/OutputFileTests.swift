import Foundation
import GraphKit
import TestTools
import Testing

/// What becomes of files that are in the way of a run's own.
@Suite(.inTurn) struct OutputFileTests {
  /// Sound that nobody sends: the run stands still, and fails before it has written anything.
  private func silent(into path: String) -> String {
    """
    { "nodes": { "in": { "type": "appInput" }, "file": { "type": "wavSink", "path": "\(path)" } },
      "wires": ["in -> file"] }
    """
  }

  @Test func anOldFileSurvivesARunThatWritesNothing() async throws {
    let folder = try Folder()
    try folder.write("g.json", silent(into: "old.wav"))
    try folder.write("old.wav", "precious")
    let result = try await Graphctl.run(
      ["run", "g.json", "--overwrite", "--stall-timeout", "0.5"], in: folder)
    #expect(result.status == 75, "\(result)")
    #expect(!result.messages.contains("written until then"))
    #expect(folder.text("old.wav") == "precious")
  }

  @Test func anOldFileThatARunDoesntReplaceIsNoneOfItsOutputs() async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "nodes": { "in": { "type": "appInput" }, "waveform": { "type": "waveform" },
                   "points": { "type": "peaksSink", "path": "old.dat" } },
        "wires": ["in -> waveform -> points"] }
      """)
    try folder.write("old.dat", "precious")
    let words = ["run", "g.json", "--overwrite", "--stall-timeout", "0.5", "--report", "r.json"]
    let result = try await Graphctl.run(words, in: folder)
    #expect(result.status == 75 && !result.messages.contains("written until then"), "\(result)")
    #expect(folder.text("old.dat") == "precious" && !folder.text("r.json").contains("old.dat"))
  }

  @Test func anElementThatWritesToALocationIsASinkLikeOthers() async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "nodes": { "in": { "type": "testVideo", "width": 64, "height": 64, "frames": 8 },
                   "h264": { "type": "h264Encoder" },
                   "mux": { "type": "gst", "element": "mpegtsmux" },
                   "file": { "type": "gst", "element": "filesink",
                             "properties": { "location": "old.ts" } } },
        "wires": ["in -> h264 -> mux -> file"] }
      """)
    try folder.write("old.ts", "precious")
    let refused = try await Graphctl.run(["run", "g.json"], in: folder)
    #expect(refused.status == 65 && folder.text("old.ts") == "precious", "\(refused)")
    #expect(
      refused.messages.contains("`old.ts` is there already; give another path, `--overwrite`"))
    let run = try await Graphctl.run(
      ["run", "g.json", "--overwrite", "--report", "r.json"], in: folder)
    #expect(run.status == 0 && folder.text("r.json").contains("\"old.ts\""), "\(run)")
    #expect(try folder.data("old.ts").first == 0x47)
  }

  @Test func aNewFileThatGotNothingIsTakenAway() async throws {
    let folder = try Folder()
    try folder.write("g.json", silent(into: "new.wav"))
    let result = try await Graphctl.run(["run", "g.json", "--stall-timeout", "0.5"], in: folder)
    #expect(result.status == 75 && !folder.has("new.wav"), "\(result)")
  }

  @Test func aLongerFileLeavesNothingBehind() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    try folder.write("small.mp4", String(repeating: "precious", count: 100_000))
    let result = try await Graphctl.run(["run", "small.json", "--overwrite"], in: folder)
    #expect(result.status == 0)
    #expect(try folder.data("small.mp4").count < 100_000)
  }

  @Test func aFileThatARunWritesIsRefusedToAnother() async throws {
    let folder = try Folder()
    try folder.write("endless.json", endlessGraph)
    try folder.write("endless.mp4", "old")
    let pipe = Pipe()
    let first = try Graphctl.Running(
      ["run", "endless.json", "--events", "--quiet", "--overwrite"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"event\": \"progress\""))
    let second = try await Graphctl.run(
      ["run", "endless.json", "--quiet", "--overwrite"], in: folder)
    #expect(second.status == 73)
    #expect(
      second.messages == "endless.json: error: movie: `endless.mp4` can't be written: "
        + "another run writes it; give another path\n")
    first.send(SIGINT)
    lines.stop()
    #expect(try await first.result().status == 0)
    let movie = try MovieReader.read("\(folder.path)/endless.mp4")
    #expect(movie.tracks.count == 2 && !movie.isFragmented)
  }

  @Test(arguments: ["link.wav", "hard.wav", "sub/../in.wav", "there/in.wav"])
  func aGraphsInputIsKnownByEveryName(name: String) async throws {
    let folder = try Folder()
    try folder.write("make.json", tone(into: "in.wav"))
    #expect(try await Graphctl.run(["run", "make.json"], in: folder).status == 0)
    let files = FileManager.default
    try files.createDirectory(atPath: "\(folder.path)/sub", withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: "\(folder.path)/there", withDestinationPath: folder.path)
    try files.createSymbolicLink(
      atPath: "\(folder.path)/link.wav", withDestinationPath: "in.wav")
    try files.linkItem(atPath: "\(folder.path)/in.wav", toPath: "\(folder.path)/hard.wav")
    try folder.write(
      "copy.json",
      """
      { "nodes": { "in": { "type": "file", "path": "in.wav" },
          "out": { "type": "wavSink", "path": "\(name)" } },
        "wires": ["in -> out"] }
      """)
    let before = try folder.data("in.wav")
    let result = try await Graphctl.run(["run", "copy.json", "--overwrite"], in: folder)
    #expect(result.status == 65)
    #expect(
      result.messages == "copy.json:2:41: error: `out` would overwrite \(name) (also called in.wav)"
        + ", which `in` reads; give `out` another path\n")
    #expect(try folder.data("in.wav") == before)
  }

  @Test(arguments: ["./a.wav", "sub/../a.wav", "there/a.wav"])
  func oneNewFileIsKnownByEveryName(name: String) async throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/sub", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/there", withDestinationPath: ".")
    try folder.write(
      "two.json",
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
          "a": { "type": "wavSink", "path": "a.wav" },
          "b": { "type": "wavSink", "path": "\(name)" } },
        "wires": ["tone -> a", "tone -> b"] }
      """)
    let result = try await Graphctl.run(["check", "two.json"], in: folder)
    #expect(result.status == 65)
    let message = "two.json:3:39: error: `a` and `b` write the same file, a.wav"
    #expect(result.messages.hasPrefix(message), "\(result)")
  }

  private func tone(into path: String) -> String {
    """
    { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
        "out": { "type": "wavSink", "path": "\(path)" } },
      "wires": ["tone -> out"] }
    """
  }
}
