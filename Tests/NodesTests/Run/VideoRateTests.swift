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

    @Test("a frame stays on screen until the next, however long that takes")
    func pause() async throws {
      let (input, output) = (scratch.path("in.mp4"), scratch.path("out.mp4"))
      // Black, and white from 4 s on.
      try ffmpeg(
        "-f lavfi -i color=black:s=64x48:r=10:d=4 -f lavfi -i color=white:s=64x48:r=10:d=1",
        "-filter_complex [0][1]concat,select=eq(n\\,0)+gte(n\\,40) -fps_mode vfr -c:v libx264 -bf 0",
        to: input)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "rate": { "type": "videoConvert", "frameRate": 5 },
                     "encoder": { "type": "h264Encoder" },
                     "out": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.video -> rate -> encoder -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      let grays = Array(
        try tool(
          "ffmpeg",
          [
            "-v", "error", "-i", output, "-vf", "scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo",
            "-",
          ]))
      #expect(grays.count == 25)
      #expect(grays.firstIndex { $0 > 128 } == 20)
    }
  }
}
