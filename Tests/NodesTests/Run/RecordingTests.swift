import Foundation
import GraphKit
import Nodes
import Testing

extension RunTests {
  @Suite(.inTurnOrAlone) struct RecordingTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    func graph(_ path: String, live: Bool, limit: Double) -> String {
      """
      { "nodes": {
          "camera": { "type": "testVideo", "width": 160, "height": 90, "live": \(live) },
          "microphone": { "type": "testAudio", "live": \(live) },
          "look": { "type": "channelMask", "red": false },
          "video": { "type": "h264Encoder", "preset": "ultrafast" },
          "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(path)", "seconds": \(limit) } },
        "wires": ["camera -> look -> video -> movie.video", "microphone -> audio -> movie.audio"] }
      """
    }

    /// Time goes as fast as the machine can, so that it drops nothing.
    private static var virtual: Pipeline.Configuration {
      var configuration = Pipeline.Configuration()
      configuration.clock = .virtual
      return configuration
    }

    @Test(arguments: [true, false]) func isAMovieOfTheLengthAskedFor(live: Bool) async throws {
      let path = scratch.path("a.mp4")
      let graph = graph(path, live: live, limit: 2)
      let report = try await pipeline(graph, configuration: Self.virtual).run()
      #expect(report.unbalanced == [] && report.droppedFrames == 0)
      let streams = try probe(path)
      #expect(streams.map(\.codec_name) == ["h264", "aac"])
      #expect(streams[0].frames == 60)
      #expect(abs(streams[0].start) < 0.001)
      #expect(abs(streams[1].start) < 0.001)
      #expect(abs(streams[0].end - streams[1].end) < 0.05)
      #expect(try decodeComplaints(path) == "")
    }

    /// Returns when as many seconds as that have passed for another live run.
    private func letPass(seconds: Double) async throws {
      let clock = try pipeline(
        """
        { "nodes": { "tone": { "type": "testAudio", "live": true, "seconds": \(seconds) },
                     "end": { "type": "nullSink" } }, "wires": ["tone -> end"] }
        """)
      #expect(try await clock.run().state == .completed)
    }

    @Test func pausesWithoutAGap() async throws {
      let path = scratch.path("a.mp4")
      let recording = try pipeline(graph(path, live: true, limit: 3))
      recording.start()
      #expect(await recording.reaches(0.5))
      recording.pause()
      #expect(await recording.enters(.paused))
      // Time that passes for others must not pass in the movie.
      try await letPass(seconds: 0.8)
      recording.resume()
      let report = try await recording.end()
      #expect(report.wallSeconds > 3.6)
      #expect(report.unbalanced == [])
      try #require(report.droppedFrames == 0, "the machine is too slow for this test")
      let words = ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time"]
      let times = try String(
        decoding: tool("ffprobe", words + ["-of", "csv=p=0", path]), as: UTF8.self
      ).split(whereSeparator: \.isNewline).compactMap {
        Double($0.trimmingCharacters(in: CharacterSet(charactersIn: ", ")))
      }
      #expect(times.count >= 85)
      for (one, next) in zip(times, times.dropFirst()) { #expect(next - one < 0.1) }
      let sound = try probe(path)[1]
      #expect(abs(sound.end - (times.last ?? 0)) < 0.1)
    }

    @Test func finishesWhenAskedTo() async throws {
      let path = scratch.path("a.mp4")
      let recording = try pipeline(
        graph(path, live: true, limit: 0), configuration: Self.virtual)
      recording.start()
      #expect(await recording.reaches(1))
      recording.finish()
      recording.finish()
      let report = try await recording.end()
      #expect(report.state == .completed && report.droppedFrames == 0)
      let streams = try probe(path)
      #expect(streams[0].end > 0.9)
      // Each source ends with what it is making: a frame, a block of audio and what an encoder adds.
      let most: Double = 1.0 / 30 + 1_024.0 / 44_100 + 0.005
      #expect(abs(streams[0].end - streams[1].end) < most)
      #expect(try decodeComplaints(path) == "")
    }

    @Test func cancelsAtAnyTime() async throws {
      for step in 0..<8 {
        let recording = try pipeline(
          graph(scratch.path("\(step).mp4"), live: step % 2 == 0, limit: 0))
        let events = recording.events()
        if step > 0 {
          recording.start()
          // So many things have happened to it by then.
          var left = step
          for await _ in events {
            left -= 1
            if left == 0 { break }
          }
        }
        recording.cancel()
        recording.cancel()
        await #expect(throws: RunError.self) { try await recording.end() }
        #expect(recording.state == .cancelled)
      }
    }

    @Test(
      "a recording begins with its first picture, however late that comes",
      arguments: [("matroskaSink", "mkv"), ("mp4Sink", "mp4")])
    func latePictures(sink: String, kind: String) async throws {
      let path = scratch.path("a.\(kind)")
      let json = """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 160, "height": 96, "live": true,
                        "seconds": 2 },
            "later": { "type": "timeShift", "seconds": 1 },
            "microphone": { "type": "testAudio", "live": true, "seconds": 3 },
            "video": { "type": "h264Encoder", "bFrames": 0 }, "audio": { "type": "aacEncoder" },
            "movie": { "type": "\(sink)", "path": "\(path)" } },
          "wires": ["camera -> later -> video -> movie.video", "microphone -> audio -> movie.audio"] }
        """
      #expect(try await pipeline(json).run().state == .completed)
      for stream in ["v", "a"] {
        let words = ["-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time"]
        let text = try tool("ffprobe", words + ["-of", "csv=p=0", path])
        let times = String(decoding: text, as: UTF8.self).split(separator: "\n")
          .compactMap { Double($0) }
        #expect(abs(try #require(times.min())) < 0.12)
        #expect(abs(try #require(times.max()) - 2) < 0.2)
      }
      let words = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
      let length = Double(
        String(decoding: try tool("ffprobe", words), as: UTF8.self).dropLast())
      #expect(abs(try #require(length) - 2) < 0.2)
    }
  }
}
