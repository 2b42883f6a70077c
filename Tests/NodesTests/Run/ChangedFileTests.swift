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

    @Test(
      "a file that is cut off before all of it is read is an error",
      arguments: ["", #", "isolate": true"#, #", "loop": 2"#])
    func cutOff(_ parameters: String) async throws {
      let scratch = try TestFolder()
      let path = scratch.path("whole.mp4")
      let words = "-pix_fmt yuv420p -c:v libx264 -preset ultrafast -g 5 -movflags faststart"
      try ffmpeg("-f lavfi -i testsrc2=s=160x120:r=25:d=4", words, to: path)
      let reading = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)"\(parameters) },
            "d": { "type": "decoder" }, "v": { "type": "nullSink" } },
          "wires": ["in.video -> d -> v"] }
        """)
      let size = try Data(contentsOf: URL(filePath: path)).count
      try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: UInt64(size / 2))
      let error = await #expect(throws: RunError.self) { try await reading.run() }
      let failure = try #require(error?.report.failure)
      #expect(failure.node == "in", "\(failure)")
      #expect(
        failure.message == "`\(path)` was cut off by another program while it was read: "
          + "\(size - size / 2) of its \(size) bytes went", "\(failure)")
    }
  }
}
