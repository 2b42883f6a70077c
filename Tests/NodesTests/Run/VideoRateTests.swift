import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Video whose rate `videoConvert` changes.
  @Suite struct VideoRateTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "its frames are those that begin before its end, as with ffmpeg",
      arguments: [
        ("25", "12"), ("25", "50"), ("25", "30000/1001"), ("30000/1001", "25"), ("10", "60"),
        ("24000/1001", "1"), ("25", "25"),
      ])
    func length(from old: String, to new: String) async throws {
      let (input, output) = (scratch.path("in.mp4"), scratch.path("out.mp4"))
      let reference = scratch.path("ffmpeg.mp4")
      try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=\(old):d=4 -c:v libx264", to: input)
      try ffmpeg("-i \(input) -vf fps=\(new):eof_action=pass -c:v libx264", to: reference)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "rate": { "type": "videoConvert", "frameRate": "\(new)" },
                     "encoder": { "type": "h264Encoder" },
                     "out": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.video -> rate -> encoder -> out"] }
        """
      ).run()
      #expect(report.unbalanced == [] && report.warnings == nil)
      let frames = try probe(output).map(\.frames)
      let wanted = try probe(reference).map(\.frames)
      #expect(frames == wanted)
    }
  }
}
