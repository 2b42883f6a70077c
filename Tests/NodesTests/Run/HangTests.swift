import Foundation
import GraphKit
import Testing

extension RunTests {
  /// Runs in which a thread goes into an element and doesn't come back for a minute.
  @Suite struct HangTests {
    let scratch: TestFolder
    init() throws { scratch = try TestFolder() }

    /// A movie whose sound hangs, and a file of its own beside it.
    private var graph: String {
      """
      { "nodes": {
          "camera": { "type": "testVideo", "width": 160, "height": 120, "seconds": 2 },
          "microphone": { "type": "testAudio", "seconds": 2 },
          "hang": {
            "type": "gst", "element": "identity", "properties": { "sleep-time": 60000000 } },
          "video": { "type": "h264Encoder", "preset": "ultrafast" },
          "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" },
          "tone": { "type": "testAudio", "seconds": 1 },
          "wave": { "type": "wavSink", "path": "\(scratch.path("a.wav"))" } },
        "wires": [
          "camera -> video -> movie.video", "microphone -> hang -> audio -> movie.audio",
          "tone -> wave"] }
      """
    }

    private func expectFiles(_ report: Report) throws {
      let movie = try MovieReader.read(scratch.path("a.mp4"))
      #expect(movie.tracks.map(\.codec) == ["avc1"] && !movie.isFragmented)
      #expect(
        movie.tracks.first?.sampleCount == report.wires["video.out -> movie.video"]?.samplesOut)
      #expect(try decodeComplaints(scratch.path("a.mp4")) == "")
      #expect(report.unbalanced == [])
    }

    @Test func theFilesOfOtherThreadsAreFinishedAndTheElementIsNamed() async throws {
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 1
      let run = try pipeline(graph, configuration: configuration)
      let error = await #expect(throws: RunError.self) { try await run.run() }
      let report = try #require(error?.report)
      #expect(report.state == .failed && report.failure?.isStall == true)
      #expect(report.failure?.node == "hang")
      #expect(error?.description.contains("in its element `identity` didn't come back") == true)
      #expect(report.warnings?.contains { $0.node == "hang" } == true)
      try expectFiles(report)
      #expect(try decodedSound(of: scratch.path("a.wav")).count == 48_000)
    }

    @Test func aRunThatIsToEndDoesThoughAThreadHangs() async throws {
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 1_000
      let run = try pipeline(graph, configuration: configuration)
      let events = run.events()
      run.start()
      // The movie waits for the sound; by then there is video.
      for await event in events {
        if case .readiness("video.out -> movie.video", false, _) = event.kind { break }
      }
      run.finish()
      let error = await #expect(throws: RunError.self) { try await run.end() }
      let report = try #require(error?.report)
      #expect(report.failure?.isStall == true && report.failure?.node == "hang")
      #expect(report.failure?.message.hasPrefix("the run was asked to end") == true)
      try expectFiles(report)
    }

    @Test func aCancelledRunNamesTheThreadThatHangs() async throws {
      let run = try pipeline(graph)
      run.start()
      #expect(await run.enters(.running))
      run.cancel()
      let error = await #expect(throws: RunError.self) { try await run.end() }
      #expect(error?.report.state == .cancelled)
    }

    @Test func aStateThatIsNeverReachedIsAStall() async throws {
      let pipe = scratch.path("pipe")
      try tool("mkfifo", [pipe])
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 1
      // Nobody writes to the pipe, so that opening it never ends.
      let run = try pipeline(
        """
        { "nodes": {
            "pipe": { "type": "gst", "element": "filesrc", "properties": { "location": "\(pipe)" } },
            "sink": { "type": "nullSink" } }, "wires": ["pipe -> sink"] }
        """, configuration: configuration)
      let error = await #expect(throws: RunError.self) { try await run.run() }
      #expect(error?.report.failure?.isStall == true && error?.report.failure?.node == "pipe")
      #expect(error?.description.contains("`filesrc`") == true)
      // Somebody comes at last: the thread that was given up goes its way.
      let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
      try writer.close()
    }
  }
}
