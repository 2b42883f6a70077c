import Foundation
import GraphKit
import Testing

extension FileTests {
  /// Files whose audio is much shorter than their video, or begins later, or the other way round.
  @Suite struct ShorterTrackTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// One thread sends all that is decoded: where it waits for room, nothing comes of the others.
    @Test(
      "a track that ends before the others holds up nothing",
      arguments: [(6, 2), (2, 6)],
      [(#", "isolate": true"#, [6.0, 2.0]), (#", "loop": 2"#, [12.0, 12.0])])
    func ends(seconds: (video: Int, audio: Int), read: (settings: String, ends: [Double]))
      async throws
    {
      let (path, movie) = (scratch.path("a.mkv"), scratch.path("a.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=\(seconds.video)",
        "-f lavfi -i sine=r=48000:d=\(seconds.audio)",
        "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a flac", to: path)
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 5
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)"\(read.settings) },
            "dv": { "type": "decoder" }, "da": { "type": "decoder" },
            "v": { "type": "h264Encoder" }, "a": { "type": "aacEncoder" },
            "out": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["in.video -> dv -> v -> out", "in.audio -> da -> a -> out"] }
        """, configuration: configuration
      ).run()
      #expect(report.warnings == nil)
      let ends = try probe(movie).sorted { $0.codec_type > $1.codec_type }.map(\.end)
      let expected = seconds.video < seconds.audio ? read.ends.reversed() : read.ends
      #expect(zip(ends, expected).allSatisfy { abs($0 - $1) < 0.2 }, "\(ends)")
    }
  }
}
