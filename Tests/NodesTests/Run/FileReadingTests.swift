import GraphKit
import Nodes
import Testing

extension FileTests {
  @Suite struct FileReadingTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test("pictures that Matroska presents in another order keep their time")
    func matroska() async throws {
      let input = scratch.path("a.mkv")
      try ffmpeg(
        "-f lavfi -i testsrc=s=320x180:r=30:d=2 -c:v libx264 -bf 3 -pix_fmt yuv420p", to: input)
      let output = scratch.path("a.mp4")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.video -> movie.video"] }
        """)
      #expect(try await run.run().unbalanced == [])
      let video = try #require(try probe(output).first)
      #expect(video.frames == 60)
      #expect(abs(video.end - 2) < 0.1)
    }

    /// A file whose video begins half a second after its audio.
    private func lateVideo() throws -> String {
      let (video, input) = (scratch.path("v.mp4"), scratch.path("a.mp4"))
      try ffmpeg("-f lavfi -i testsrc=s=320x180:r=30:d=1 -c:v libx264", to: video)
      try ffmpeg(
        "-itsoffset 0.5 -i \(video) -f lavfi -i sine=f=440:r=48000:d=1.5",
        "-c:v copy -c:a aac", to: input)
      return input
    }

    @Test("a copy keeps the audio from before the first video sample")
    func earlyAudio() async throws {
      let (input, output) = (try lateVideo(), scratch.path("out.mp4"))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.video -> movie.video", "in.audio -> movie.audio"] }
        """)
      let report = try await run.run()
      #expect(report.warnings == nil && report.wires.values.allSatisfy { $0.dropped.isEmpty })
      #expect(try decodedSound(of: output) == decodedSound(of: input))
      let starts = try probe(output).map(\.start)
      #expect(zip(starts, [0.5, 0]).allSatisfy { abs($0 - $1) < 0.001 }, "\(starts)")
    }

    private func encodedVideo(of input: String, movie: String) throws -> Pipeline {
      try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "pictures": { "type": "decoder", "media": "video" },
                     "video": { "type": "h264Encoder", "preset": "ultrafast" },
                     "movie": { "type": "mp4Sink", "path": "\(scratch.path("out.mp4"))"\(movie) } },
          "wires": ["in.video -> pictures -> video -> movie.video", "in.audio -> movie.audio"] }
        """)
    }

    @Test("audio from before the first encoded video sample is kept")
    func earlySoundOfAFile() async throws {
      let (input, output) = (try lateVideo(), scratch.path("out.mp4"))
      let report = try await encodedVideo(of: input, movie: "").run()
      #expect(report.warnings == nil && report.wires.values.allSatisfy { $0.dropped.isEmpty })
      #expect(try decodedSound(of: output) == decodedSound(of: input))
      let starts = try probe(output).map(\.start)
      #expect(zip(starts, [0.5, 0]).allSatisfy { abs($0 - $1) < 0.001 }, "\(starts)")
    }

    @Test("a movie of a certain length begins with its video, and audio before it is a warning")
    func earlySound() async throws {
      let run = try encodedVideo(of: lateVideo(), movie: #", "seconds": 100"#)
      let events = run.events()
      let report = try await run.run()
      #expect(report.unbalanced == [])
      var warnings: [String] = []
      for await event in events {
        if case .warning(_, let message) = event.kind { warnings.append(message) }
      }
      #expect(warnings.count == 1 && warnings.first?.contains("in.audio") == true)
      let lost = try #require(
        report.wires["in.audio -> movie.audio"]?.dropped["beforeSessionStart"])
      let seconds = Double(lost) * 1024 / 48_000
      let said = warnings.first?.split(separator: " ").first.flatMap { Double($0) } ?? 0
      #expect(abs(said - seconds) < 0.001, "\(warnings)")
      // The sound keeps its place beside the pictures, and ends with them.
      let streams = try probe(scratch.path("out.mp4"))
      #expect(streams.allSatisfy { abs($0.start) < 0.001 && abs($0.end - 1) < 0.03 })
    }

    @Test("a stream without a container is read")
    func mp3() async throws {
      let input = scratch.path("a.mp3")
      try ffmpeg("-f lavfi -i sine=f=1000:r=48000:d=2 -c:a libmp3lame", to: input)
      let output = scratch.path("a.wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" }, "same": { "type": "gain" },
                     "file": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> same -> file"] }
        """)
      #expect(try await run.run().unbalanced == [])
      let sound = try decodedSound(of: output)
      #expect(abs(sound.count - 96_000) < 3 * 1152)
      #expect(sound.contains { $0 > 1000 })
    }
  }
}
