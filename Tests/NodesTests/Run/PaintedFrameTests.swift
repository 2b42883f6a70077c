import Foundation
import GraphKit
import Testing

extension FileTests {
  /// Video of older codecs, whose decoders go on painting the frame before.
  @Suite struct PaintedFrameTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "each frame is presented at its own time",
      arguments: [
        ("cinepak", "mov"), ("cinepak", "avi"), ("qtrle", "mov"), ("msvideo1", "avi"),
        ("flashsv", "flv"),
      ])
    func times(codec: String, kind: String) async throws {
      let (source, movie) = (scratch.path("a.\(kind)"), scratch.path("b.mp4"))
      try ffmpeg("-f lavfi -i testsrc2=s=160x128:r=25:d=1 -c:v \(codec)", to: source)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "video": { "type": "h264Encoder" },
            "out": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["in.video -> video -> out.video"] }
        """
      ).run()
      #expect(report.warnings == nil)
      let words = ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", movie]
      let times = String(decoding: try tool("ffprobe", words), as: UTF8.self)
        .split(separator: "\n").compactMap { Double($0.filter { $0 != "," }) }.sorted()
      #expect(times == (0..<25).map { Double($0) / 25 })
    }
  }
}
