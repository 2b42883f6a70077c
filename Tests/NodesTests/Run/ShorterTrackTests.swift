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
      let path = try generate(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=\(seconds.video)",
        "-f lavfi -i sine=r=48000:d=\(seconds.audio)")
      let ends = try await transcode(path, read.settings).map(\.end)
      let expected = seconds.video < seconds.audio ? read.ends.reversed() : read.ends
      #expect(zip(ends, expected).allSatisfy { abs($0 - $1) < 0.2 }, "\(ends)")
    }

    /// The inputs of files of 12 s: audio or video that begins after 9 of them, one picture every 6 s, and
    /// such as a recorded screen has where nothing moves any more.
    private static let apart = [
      ("-f lavfi -i testsrc2=s=64x48:r=10:d=12", "-itsoffset 9 -f lavfi -i sine=r=48000:d=3"),
      ("-itsoffset 9 -f lavfi -i testsrc2=s=64x48:r=10:d=3", "-f lavfi -i sine=r=48000:d=12"),
      ("-f lavfi -i testsrc2=s=64x48:r=1/6:d=12", "-f lavfi -i sine=r=48000:d=12"),
      (
        "-f lavfi -i testsrc2=s=64x48:r=10:d=12,select='lt(t\\,1)+not(mod(n\\,40))'",
        "-f lavfi -i sine=r=48000:d=12"
      ),
    ]

    @Test(
      "tracks that are seconds apart are the same with a process of their own", arguments: apart)
    func areApart(video: String, audio: String) async throws {
      let path = try generate(video, audio)
      let (plain, isolated) = (
        try await transcode(path, ""), try await transcode(path, #", "isolate": true"#)
      )
      #expect(plain.map(\.codec_type) == ["video", "audio"])
      #expect(isolated.map(\.frames) == plain.map(\.frames))
      #expect(isolated.map(\.start) == plain.map(\.start))
    }

    @Test(
      "tracks that are seconds apart are played again",
      arguments: [#", "loop": 2"#, #", "loop": 2, "isolate": true"#], apart)
    func areRepeated(settings: String, inputs: (video: String, audio: String)) async throws {
      let tracks = try await transcode(try generate(inputs.video, inputs.audio), settings)
      #expect(tracks.map(\.codec_type) == ["video", "audio"])
      #expect(tracks.allSatisfy { abs($0.start) < 0.1 && abs($0.end - 24) < 0.2 }, "\(tracks)")
    }

    @Test(
      "a track of which no more is wanted ends alone",
      arguments: [#", "loop": 2"#, #", "loop": 2, "isolate": true"#, #", "isolate": true"#])
    func endsAlone(settings: String) async throws {
      let path = try generate(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=6", "-f lavfi -i sine=r=48000:d=5")
      let movie = scratch.path("a.mp4")
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)"\(settings) },
            "part": { "type": "trim", "to": 1 }, "v": { "type": "h264Encoder" },
            "a": { "type": "aacEncoder" },
            "out": { "type": "mp4Sink", "path": "\(movie)", "overwrite": true } },
          "wires": ["in.video -> part -> v -> out", "in.audio -> a -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      let ends = try probe(movie).sorted { $0.codec_type > $1.codec_type }.map(\.end)
      let length = settings.contains("loop") ? 12.0 : 5
      #expect(zip(ends, [1, length]).allSatisfy { abs($0 - $1) < 0.1 }, "\(ends)")
    }

    private func generate(_ video: String, _ audio: String) throws -> String {
      let path = scratch.path("a.mkv")
      try ffmpeg(
        video, audio, "-map 0:v -map 1:a -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a flac",
        "-fps_mode passthrough", to: path)
      return path
    }

    /// The tracks of a transcode of a file, which is read with some settings: video first.
    private func transcode(_ path: String, _ settings: String) async throws -> [ProbedStream] {
      let movie = scratch.path("a.mp4")
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 5
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)"\(settings) },
            "dv": { "type": "decoder" }, "da": { "type": "decoder" },
            "v": { "type": "h264Encoder" }, "a": { "type": "aacEncoder" },
            "out": { "type": "mp4Sink", "path": "\(movie)", "overwrite": true } },
          "wires": ["in.video -> dv -> v -> out", "in.audio -> da -> a -> out"] }
        """, configuration: configuration
      ).run()
      // Only that audio before the first frame is left out.
      let others = (report.warnings ?? []).filter { !$0.message.contains("before the first video") }
      #expect(others.isEmpty, "\(others)")
      return try probe(movie).sorted { $0.codec_type > $1.codec_type }
    }
  }
}
