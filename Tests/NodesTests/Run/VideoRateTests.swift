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
      let (input, reference) = (scratch.path("in.mp4"), scratch.path("ffmpeg.mp4"))
      try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=\(old):d=4 -c:v libx264", to: input)
      try ffmpeg("-i \(input) -vf fps=\(new):eof_action=pass -c:v libx264", to: reference)
      let wanted = try probe(reference).map(\.frames)
      #expect(try await frames(of: input, at: new) == wanted)
    }

    @Test(
      "of the rate that it had it has the frames that it had, however its file rounds times",
      arguments: ["in.mp4", "in.mkv", "in.ts"], ["30", "60", "24000/1001"])
    func same(_ name: String, rate: String) async throws {
      for count in [11, 12, 14] {
        let input = scratch.path(name)
        try ffmpeg(
          "-f lavfi -i testsrc2=s=64x48:r=\(rate) -frames:v \(count) -c:v libx264 -bf 2",
          to: input)
        let found = try await frames(of: input, at: rate)
        #expect(found == [count])
      }
    }

    @Test("a frame that is shorter than times are exact is one all the same")
    func shortFrame() async throws {
      let input = scratch.path("in.mkv")
      try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=1000 -frames:v 1 -c:v mjpeg", to: input)
      #expect(try await frames(of: input, at: "25") == [1])
    }

    /// The frames of each track of a movie of a file's video at a rate.
    private func frames(of input: String, at rate: String) async throws -> [Int] {
      let output = scratch.path("out.mp4")
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "rate": { "type": "videoConvert", "frameRate": "\(rate)" },
                     "encoder": { "type": "h264Encoder" },
                     "out": { "type": "mp4Sink", "path": "\(output)", "overwrite": true } },
          "wires": ["in.video -> rate -> encoder -> out"] }
        """
      ).run()
      #expect(report.unbalanced == [] && report.warnings == nil)
      return try probe(output).map(\.frames)
    }
  }
}
