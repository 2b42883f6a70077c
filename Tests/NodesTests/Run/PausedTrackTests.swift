import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Tracks that have nothing for longer than inputs may be apart.
  @Suite struct PausedTrackTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Appends silence from one second to another.
    private static func append(_ seconds: Range<Int>, to input: SampleInput) async throws {
      for number in seconds.lowerBound * 100..<seconds.upperBound * 100 {
        var sample = SampleBuffer(
          bytes: [UInt8](repeating: 0, count: 480 * 4), format: input.format)
        sample.presentationTime = MediaTime(frames: number * 480, at: 48_000)
        sample.duration = MediaTime(frames: 480, at: 48_000)
        try await input.append(sample)
      }
    }

    @Test("a movie goes on after five seconds without audio")
    func pause() async throws {
      let output = scratch.path("paused.mp4")
      let run = try pipeline(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 64, "height": 48, "frameRate": 15,
                        "seconds": 8 },
            "microphone": { "type": "appInput", "media": "audio", "sampleRate": 48000,
                            "channels": 1 },
            "video": { "type": "h264Encoder", "preset": "ultrafast" },
            "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["camera -> video -> movie.video", "microphone -> audio -> movie.audio"] }
        """)
      let input = try run.input("microphone")
      run.start()
      let writer = Task {
        try await Self.append(0..<1, to: input)
        try await Self.append(6..<8, to: input)
        input.markAsFinished()
      }
      #expect(try await run.end().unbalanced == [])
      try await writer.value
      let streams = try probe(output)
      #expect(streams.first { $0.codec_type == "video" }?.frames == 120)
      let audio = try #require(streams.first { $0.codec_type == "audio" })
      #expect(abs(audio.end - 8) < 0.05)
      #expect(try decodeComplaints(output) == "")
    }
  }
}
