import Foundation
import TestTools
import Testing

/// Planar sound that a node made itself goes on into elements.
@Suite(.inTurn) struct PlanarPanTests {
  @Test func planarMonoIsPlaced() async throws {
    let folder = try Folder()
    let samples: [Float] = (0..<4800).map { Float($0 % 100) / 100 }
    let bytes = samples.flatMap { sample in
      (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> (8 * $0)) }
    }
    try Data(bytes).write(to: folder.url.appending(path: "r"))
    try folder.write(
      "g.json",
      """
      { "nodes": {
          "source": { "type": "rawFile", "path": "r", "format": "f32le", "channels": 1 },
          "planar": { "type": "audioConvert", "layout": "planar" },
          "left": { "type": "pan", "position": -1 },
          "rows": { "type": "audioConvert", "layout": "interleaved" },
          "wave": { "type": "wavSink", "path": "a.wav" } },
        "wires": ["source -> planar -> left -> rows -> wave"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""))
    try await Tool.run(
      "ffmpeg", ["-v", "error", "-i", "a.wav", "-f", "f32le", "-c:a", "pcm_f32le", "raw"],
      in: folder.url)
    let wanted = samples.flatMap { (sample: Float) -> [Float] in [sample, 0] }
    let words = try folder.data("raw")
    let made = stride(from: 0, to: words.count, by: 4).map { place in
      Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(words[place + $1]) << (8 * $1) })
    }
    #expect(made.count == wanted.count)
    #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 1e-6 })
  }
}
