import Foundation
import GraphKit
import Testing

extension FileTests {
  /// Frames out of order that are further apart than the times of a Matroska cluster reach.
  @Suite struct FarFrameTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// When packets of a stream are presented, in the order in which they are stored, in milliseconds.
    private func times(_ path: String, _ stream: String) throws -> [Int] {
      let words = ["-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time"]
      return String(decoding: try tool("ffprobe", words + ["-of", "csv=p=0", path]), as: UTF8.self)
        .split(separator: "\n").compactMap { Double($0.filter { $0 != "," }) }
        .map { Int(($0 * 1000).rounded()) }
    }

    @Test("slides and audio keep their times", arguments: ["", "-> encoder "])
    func slides(encoder: String) async throws {
      let (source, copy) = (scratch.path("a.mp4"), scratch.path("a.mkv"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=1/40:d=320 -f lavfi -i sine=r=8000:d=320 -pix_fmt yuv420p",
        "-c:v libx264 -bf 2 -b_strategy 0 -c:a aac -b:a 16k", to: source)
      let node =
        encoder.isEmpty ? "" : #""encoder": { "type": "h264Encoder", "bFrames": 2 },"#
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" }, \(node)
            "out": { "type": "matroskaSink", "path": "\(copy)" } },
          "wires": ["in.video \(encoder)-> out.video", "in.audio -> out.audio"] }
        """
      ).run()
      #expect(report.warnings == nil)
      let video = try times(copy, "v")
      #expect(video.sorted() == (0..<8).map { 40_000 * $0 } && video != video.sorted())
      let audio = try times(copy, "a")
      let steps = zip(audio, audio.dropFirst()).map { $1 - $0 }
      #expect(audio.count == 2500 && steps.allSatisfy { (127...129).contains($0) })
    }
  }
}
