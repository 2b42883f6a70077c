import Foundation
import TestTools
import Testing

/// A node that gives nothing before all has come, beside a way that joins what it gives.
@Suite(.inTurn) struct HeldBackTests {
  /// What `check` says of wires between these nodes, which all do sound.
  private func check(_ wires: [String], _ types: [String: String]) async throws -> Graphctl.Result {
    let folder = try Folder()
    let nodes = types.sorted { $0.key < $1.key }.map { "\"\($0)\": { \"type\": \"\($1)\" }" }
    try folder.write(
      "g.json",
      """
      { "nodes": { \(nodes.joined(separator: ", ")) },
        "wires": ["\(wires.joined(separator: "\", \""))"] }
      """)
    return try await Graphctl.run(["check", "g.json"], in: folder)
  }

  @Test(arguments: [
    (["in -> mix.in", "in -> level -> mix.in.2"], "in -> level -> mix", "in -> mix"),
    (["in -> level -> mix", "in -> gain -> mix.in.2"], "in -> level -> mix", "in -> gain -> mix"),
    (
      ["in -> gain", "gain -> level -> mix", "gain -> mix.in.2"], "gain -> level -> mix",
      "gain -> mix"
    ),
  ]) func isRefused(wires: [String], held: String, other: String) async throws {
    let types = ["in": "testAudio", "level": "loudnessNormalize", "mix": "mixAudio"]
    let all = wires.joined().contains("gain") ? types.merging(["gain": "gain"]) { $1 } : types
    let result = try await check(
      wires + ["mix -> out"], all.merging(["out": "nullSink"]) { $1 })
    #expect(result.status == 65)
    #expect(
      result.messages.hasSuffix(
        "error: `level` gives nothing before all has come, and `\(held)` joins `\(other)`, which "
          + "fills up before that; start one of the two at a source of its own, such as a second "
          + "`file` of the same path\n"), "\(result)")
  }

  @Test func isRefusedOverSeveralJoins() async throws {
    let result = try await check(
      [
        "in -> level -> mix.in", "other -> mix.in.2", "other -> beside.in", "in -> beside.in.2",
        "mix -> out", "beside -> out2",
      ],
      [
        "in": "testAudio", "other": "testAudio", "level": "loudnessNormalize", "mix": "mixAudio",
        "beside": "mixAudio", "out": "nullSink", "out2": "nullSink",
      ])
    #expect(result.status == 65)
    #expect(result.messages.contains("joins `in -> beside <- other -> mix`"), "\(result)")
  }

  @Test func hasASourceOfItsOwn() async throws {
    let result = try await check(
      ["in -> level -> mix.in", "in -> level2 -> mix.in.2", "other -> mix.in.3", "mix -> out"],
      [
        "in": "testAudio", "other": "testAudio", "level": "loudnessNormalize",
        "level2": "loudnessNormalize", "mix": "mixAudio", "out": "nullSink",
      ])
    #expect(result.status == 0, "\(result)")
  }

  /// The streams of a file are read each for itself.
  @Test func staysBesideThePicturesOfItsFile() async throws {
    let folder = try Folder()
    let sources = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=4"]
    try await Tool.run(
      "ffmpeg",
      ["-v", "error"] + sources
        + ["-f", "lavfi", "-i", "sine=d=4", "-c:v", "mpeg4", "-c:a", "aac", "in.mp4"],
      in: folder.url)
    try folder.write(
      "g.json",
      """
      { "nodes": { "in": { "type": "file", "path": "in.mp4" },
          "level": { "type": "loudnessNormalize" }, "video": { "type": "h264Encoder" },
          "audio": { "type": "aacEncoder" }, "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": ["in.video -> video -> movie.video", "in.audio -> level -> audio -> movie.audio"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""), "\(result)")
  }
}
