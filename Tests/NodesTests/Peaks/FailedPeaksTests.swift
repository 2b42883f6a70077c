import Foundation
import GraphKit
import TestTools
import Testing

extension FileTests {
  /// What was there stays where a run fails that would have replaced it.
  @Suite struct FailedPeaksTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Of the wrong sizes, one is known at the beginning and one at the end.
    @Test(
      "a file stays as it was",
      arguments: ["a.dat", "a.json", "a.csv", "a.png", "a.svg"], ["samplesPerPixel", "points"])
    func stays(name: String, size: String) async throws {
      let (peaks, path) = (scratch.path("peaks.json"), scratch.path(name))
      _ = try await pipeline(
        """
        { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
            "peaks": { "type": "waveform", "samplesPerPixel": 441 },
            "out": { "type": "peaksSink", "path": "\(peaks)" } },
          "wires": ["tone -> peaks -> out"] }
        """
      ).run()
      try Data("keep me".utf8).write(to: URL(filePath: path))
      let isPicture = [".png", ".svg"].contains { name.hasSuffix($0) }
      let sink = isPicture ? "waveformImage" : "peaksSink"
      let value = size == "points" ? 100_000 : 100
      let error = await #expect(throws: RunError.self) {
        try await pipeline(
          """
          { "nodes": { "in": { "type": "peaksSource", "path": "\(peaks)" },
              "zoom": { "type": "peaksZoom", "\(size)": \(value) },
              "out": { "type": "\(sink)", "path": "\(path)", "overwrite": true } },
            "wires": ["in -> zoom -> out"] }
          """
        ).run()
      }
      #expect(error?.report.failure?.node == "zoom")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep me")
    }
  }
}
