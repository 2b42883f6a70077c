import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  /// Outputs that lead to several inputs, of which some have enough before the others.
  @Suite struct ForkTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test("a branch goes on where another has had enough")
    func crossfade() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "from": { "type": "testVideo", "width": 64, "height": 48, "frames": 60 },
            "to": { "type": "testVideo", "width": 64, "height": 48, "frames": 60 },
            "fade": { "type": "crossfade", "at": 0.2, "duration": 0.2 },
            "mixed": { "type": "nullSink" },
            "video": { "type": "h264Encoder", "preset": "ultrafast" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["from -> fade.from", "to -> fade.to", "fade -> mixed",
                    "from -> video -> movie.video"] }
        """)
      _ = try await run.run()
      #expect(try probe(scratch.path("a.mp4")).first?.frames == 60)
    }

    @Test("an echo waits for its time", arguments: [10.0, 0.01])
    func echo(seconds: Double) async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "tone": { "type": "testAudio", "seconds": 12 },
            "later": { "type": "timeShift", "seconds": \(seconds) },
            "mix": { "type": "mixAudio" },
            "file": { "type": "wavSink", "path": "\(scratch.path("a.wav"))" } },
          "wires": ["tone -> mix.in", "tone -> later -> mix.in.2", "mix -> file"] }
        """)
      try expectNothingDropped(try await run.run())
      let count = try decodedSound(of: scratch.path("a.wav")).count
      #expect(count == Int((12 + seconds) * 48_000))
    }

    @Test("an echo that no wire can hold is refused with the bytes that it would take")
    func echoTooLong() throws {
      #expect(throws: PlanError.self) {
        try plan(
          """
          { "nodes": {
              "pictures": { "type": "testVideo", "width": 1920, "height": 1080, "frames": 9 },
              "later": { "type": "timeShift", "seconds": 60 },
              "mix": { "type": "mixVideo" }, "end": { "type": "nullSink" } },
            "wires": ["pictures -> mix.in", "pictures -> later -> mix.in.2", "mix -> end"] }
          """)
      }
    }

    @Test("the sound of a movie is copied to its end beside a waveform of its beginning")
    func waveform() async throws {
      let (input, output) = (scratch.path("in.mp4"), scratch.path("out.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc=s=64x48:d=4 -f lavfi -i sine=d=4", "-c:v libx264 -c:a aac", to: input)
      let run = try pipeline(
        """
        { "nodes": {
            "in": { "type": "file", "path": "\(input)" },
            "shape": { "type": "waveform", "endAt": 1 }, "points": { "type": "nullSink" },
            "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.audio -> shape -> points", "in.video -> movie.video",
                    "in.audio -> movie.audio"] }
        """)
      _ = try await run.run()
      #expect(try probe(output).map(\.frames) == probe(input).map(\.frames))
    }
  }
}
