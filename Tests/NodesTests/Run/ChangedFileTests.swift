import Foundation
import GraphKit
import Testing

extension FileTests {
  /// A file that is another one when the graph runs than when it was checked.
  @Suite struct ChangedFileTests {
    @Test func aStreamThatIsGoneIsNamed() async throws {
      let scratch = try TestFolder()
      let (both, sound) = (scratch.path("both.mp4"), scratch.path("sound.mp4"))
      let tone = #""tone": { "type": "testAudio", "seconds": 2 }, "a": { "type": "aacEncoder" }"#
      let picture = """
        "picture": { "type": "testVideo", "width": 64, "height": 64, "seconds": 2 },
        "v": { "type": "h264Encoder" }
        """
      _ = try await pipeline(
        """
        { "nodes": { \(tone), \(picture), "m": { "type": "mp4Sink", "path": "\(both)" } },
          "wires": ["tone -> a -> m", "picture -> v -> m"] }
        """
      ).run()
      _ = try await pipeline(
        """
        { "nodes": { \(tone), "m": { "type": "mp4Sink", "path": "\(sound)" } },
          "wires": ["tone -> a -> m"] }
        """
      ).run()
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 3
      let reading = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(both)" },
            "a": { "type": "nullSink" }, "v": { "type": "nullSink" } },
          "wires": ["in.audio -> a", "in.video -> v"] }
        """, configuration: configuration)
      try Data(contentsOf: URL(filePath: sound)).write(to: URL(filePath: both))
      let error = await #expect(throws: RunError.self) { try await reading.run() }
      let failure = try #require(error?.report.failure)
      #expect(failure.node == "in", "\(failure)")
      #expect(failure.message == "the stream of in.video is no longer in the file", "\(failure)")
    }
  }
}
