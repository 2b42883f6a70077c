import Foundation
import TestTools
import Testing

/// The loudness of a file, as a line of JSON.
@Suite(.inTurn) struct LoudnessFileTests {
  @Test func theExampleWritesAMeasurement() async throws {
    let folder = try Folder()
    let graphs = GraphFileTests.graphs
    let made = try await Graphctl.run(
      ["run", graphs.appending(path: "softer.json").path, "--set", "output=tone.wav", "--quiet"],
      in: folder)
    try #require(made.status == 0, "\(made)")
    let example = graphs.appending(path: "loudness.json").path
    let words = ["run", example, "--set", "input=tone.wav"]
    let file = try await Graphctl.run(words + ["--quiet"], in: folder)
    #expect(file.status == 0, "\(file)")
    let text = folder.text("loudness.json")
    let values = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Double])
    #expect(values.keys.sorted() == ["integrated", "range", "truePeak"])
    #expect((values["integrated"] ?? 0) < -1)
    let output = try await Graphctl.run(words + ["--set", "output=-"], in: folder)
    #expect(output.status == 0 && output.output == text, "\(output)")
  }
}
