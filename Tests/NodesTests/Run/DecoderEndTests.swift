import Foundation
import GraphKit
import Testing

extension FileTests {
  /// Parts of files whose demuxers give frames from after the end of what was asked for.
  @Suite struct DecoderEndTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// The decoder then says that it has enough, and still holds frames.
    @Test(
      "a part that is encoded anew has its last frames",
      arguments: [
        ("a.avi", "-c:v libx264 -bf 0 -c:a libmp3lame"), ("b.avi", "-c:v mpeg4 -c:a pcm_s16le"),
        ("a.mpg", "-c:v mpeg2video -c:a mp2"),
      ])
    func part(name: String, encoders: String) async throws {
      let source = scratch.path(name)
      try ffmpeg(
        "-f lavfi -i testsrc2=s=480x270:r=25:d=7 -f lavfi -i sine=r=44100:d=7 -pix_fmt yuv420p",
        encoders, to: source)
      let movie = scratch.path("part.mp4")
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)", "from": 2, "duration": 4 },
            "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
            "out": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["in.video -> video -> out.video", "in.audio -> audio -> out.audio"] }
        """
      ).run()
      let words = ["-v", "error", "-show_entries", "stream=nb_frames,duration", "-of", "csv=p=0"]
      let lines = String(decoding: try tool("ffprobe", words + [movie]), as: UTF8.self)
        .split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
      // The part may begin within a frame.
      #expect((100...101).contains(lines[0][1]), "\(lines)")
      for line in lines { #expect(abs(line[0] - 4) < 0.05, "\(lines)") }
    }
  }
}
