import Foundation
import GraphKit
import TestTools
import Testing

/// Waveforms of files in data files, and on standard output.
@Suite(.serialized, .inTurn) struct WaveformFileTests {
  private static let graph = GraphFileTests.graphs.appending(path: "waveform.json").path

  /// A graph that writes a second of a tone into a file of points.
  static func pointsGraph(_ sink: String) -> String {
    """
    { "nodes": {
        "tone": { "type": "testAudio", "seconds": 1 },
        "waveform": { "type": "waveform" },
        "points": { "type": "peaksSink", \(sink) } },
      "wires": ["tone -> waveform -> points"] }
    """
  }

  private func makeSound(in folder: Folder) async throws {
    let softer = GraphFileTests.graphs.appending(path: "softer.json").path
    let made = try await Graphctl.run(
      ["run", softer, "--set", "output=tone.wav", "--quiet"], in: folder)
    try #require(made.status == 0, "\(made)")
  }

  @Test func theExampleWritesAWaveform() async throws {
    let folder = try Folder()
    try await makeSound(in: folder)
    let result = try await Graphctl.run(
      ["run", Self.graph, "--set", "input=tone.wav", "--set", "samplesPerPixel=480"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasPrefix("waveform.json: "))
    let file = try #require(
      try JSONSerialization.jsonObject(with: folder.data("waveform.json")) as? [String: Any])
    #expect(file["samples_per_pixel"] as? Int == 480 && file["sample_rate"] as? Int == 48_000)
    #expect(file["length"] as? Int == 500 && (file["data"] as? [Int])?.count == 1_000)
    // Points of 4.4 turns of a tone are all as high as it is.
    #expect(Set((file["data"] as? [Int] ?? []).map { abs($0) / 1_000 }).count == 1)
  }

  @Test func whatWasWrittenIsReadAndZoomed() async throws {
    let folder = try Folder()
    try folder.write("fine.json", Self.pointsGraph("\"path\": \"fine.dat\""))
    #expect(try await Graphctl.run(["run", "fine.json", "--quiet"], in: folder).status == 0)
    try folder.write(
      "coarse.json",
      """
      { "nodes": {
          "fine": { "type": "peaksSource", "path": "fine.dat" },
          "zoom": { "type": "peaksZoom", "points": 10 },
          "coarse": { "type": "peaksSink", "path": "coarse.csv" } },
        "wires": ["fine -> zoom -> coarse"] }
      """)
    let result = try await Graphctl.run(["run", "coarse.json", "--quiet"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""))
    #expect(folder.text("coarse.csv").split(separator: "\n").count == 10)
  }

  @Test func standardOutputCarriesTheDataOnly() async throws {
    let folder = try Folder()
    try folder.write("file.json", Self.pointsGraph("\"path\": \"a.json\""))
    try folder.write("out.json", Self.pointsGraph("\"path\": \"-\", \"format\": \"json\""))
    #expect(try await Graphctl.run(["run", "file.json", "--quiet"], in: folder).status == 0)
    let result = try await Graphctl.run(["run", "out.json"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output == folder.text("a.json") && result.output.hasSuffix("]}\n"))
    #expect(!folder.has("-"))
  }

  @Test(arguments: [["--events"], ["--format", "json"]])
  func standardOutputCarriesOneKindOfData(_ options: [String]) async throws {
    let folder = try Folder()
    try folder.write("out.json", Self.pointsGraph("\"path\": \"-\", \"format\": \"json\""))
    let result = try await Graphctl.run(["run", "out.json"] + options, in: folder)
    #expect(result.status == 65 && result.output.isEmpty)
    #expect(result.messages.contains("a node writes to standard output"))
  }

  @Test func replacesAFileOnlyWhereToldTo() async throws {
    let folder = try Folder()
    try folder.write("small.json", Self.pointsGraph("\"path\": \"a.csv\""))
    try folder.write("a.csv", "precious")
    let refused = try await Graphctl.run(["run", "small.json"], in: folder)
    #expect(refused.status == 73 && folder.text("a.csv") == "precious")
    let allowed = try await Graphctl.run(["run", "small.json", "--overwrite"], in: folder)
    #expect(allowed.status == 0 && folder.text("a.csv").hasSuffix("\n"))
  }

  /// One block of 512 bytes is room for the error's words, and not for the points; nor for the file
  /// that the thread sanitizer maps.
  @Test(.disabled(if: Graphctl.isSanitized)) func aFileThatCantGrowIsARunError() async throws {
    let folder = try Folder()
    try folder.write("small.json", Self.pointsGraph("\"path\": \"a.json\""))
    // The signal that would end the process is ignored, so that writing fails.
    let words = "trap '' XFSZ; ulimit -f 1; \"$0\" run small.json --quiet 2> said; echo $? > status"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    let said = folder.text("said")
    #expect(folder.text("status") == "71\n")
    #expect(said.contains("points: `a.json` can't be written: File too large"), "\(said)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0 == "a.json" || $0.contains("part") }, "\(left)")
  }

  @Test func filesThatAreWrongAreFoundByTheCheck() async throws {
    let folder = try Folder()
    try folder.write("a.dat", "not points")
    try folder.write(
      "read.json",
      """
      { "nodes": { "in": { "type": "peaksSource", "path": "a.dat" },
                   "out": { "type": "peaksSink", "path": "b.json" } },
        "wires": ["in -> out"] }
      """)
    let result = try await Graphctl.run(["check", "read.json"], in: folder)
    #expect(
      result.status == 66 && result.messages.contains("`a.dat` has `n` at byte 0"), "\(result)")
  }
}
