import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

extension FileTests {
  /// HEVC in movies.
  @Suite struct HEVCRecordingTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "small pictures at a low bit rate are recorded, every time",
      arguments: ["", #", "bitRate": 100000"#, #", "keyFrameInterval": 10"#])
    func small(_ settings: String) async throws {
      let (input, output) = (scratch.path("in.mp4"), scratch.path("out.mp4"))
      try ffmpeg("-f lavfi -i testsrc2=s=320x180:r=25:d=2 -pix_fmt yuv420p", to: input)
      let run = try pipeline(
        """
        { "nodes": { "f": { "type": "file", "path": "\(input)" },
                     "e": { "type": "hevcEncoder"\(settings) },
                     "m": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["f.video -> e -> m.video"] }
        """)
      try expectNothingDropped(try await run.run())
      #expect(try probe(output).map(\.frames) == [50])
      #expect(try probe(output).map(\.codec_name) == ["hevc"])
      #expect(try decodeComplaints(output) == "")
    }
  }
}
