import Foundation
import GraphKit
import TestTools
import Testing

/// A node with several outputs goes on for the others where nothing takes more of one.
@Suite(.inTurn) struct EndedBranchTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// How much more audio there is than in the files.
  private func excess(_ node: String, _ inputs: [String]) async throws -> Int {
    let (input, sound) = (scratch.path("in.mp4"), scratch.path("sound.wav"))
    try ffmpeg(
      "-f lavfi -i testsrc=s=64x48:r=25:d=4 -f lavfi -i sine=r=48000:d=4",
      "-c:v libx264 -c:a aac", to: input)
    let files = inputs.map { "\"\($0)\": { \"type\": \"file\", \"path\": \"\(input)\" }" }
    let wires = inputs.enumerated().flatMap { index, name in
      ["video", "audio"].map {
        "\"\(name).\($0) -> node.\($0)\(index == 0 ? "" : ".\(index + 1)")\""
      }
    }
    let report = try await reportOf(
      """
      { "nodes": { \(files.joined(separator: ", ")), "node": { "type": \(node) },
          "still": { "type": "poster", "path": "\(scratch.path("a.png"))", "at": 1 },
          "sound": { "type": "wavSink", "path": "\(sound)" } },
        "wires": [\(wires.joined(separator: ", ")), "node.video -> still", "node.audio -> sound"] }
      """)
    #expect(report.state == .completed, "\(report.failure as Any)")
    #expect(FileManager.default.fileExists(atPath: scratch.path("a.png")))
    #expect(report.warnings == nil, "\(report.warnings as Any)")
    return try decodedSound(of: sound).count - inputs.count * decodedSound(of: input).count
  }

  @Test func filesOneAfterTheOther() async throws {
    #expect(try await excess(#""concat""#, ["a", "b"]).magnitude < 1_100)
  }

  @Test func soundWithShorterPauses() async throws {
    #expect(try await excess(#""shortenSilence""#, ["a"]) == 0)
  }
}
