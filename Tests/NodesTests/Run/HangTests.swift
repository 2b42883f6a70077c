import Foundation
import GraphKit
import Nodes
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

    /// The first of a stage's nodes gives it its thread; the one that hangs has the fault.
    @Test func theNodeOfAStageThatHangsIsNamed() async throws {
      let released = DispatchSemaphore(value: 0)
      var graph = GraphBuilder(catalog: .builtIn)
      let source = graph.add("tone", TestAudio()) { $0.seconds = 1 }
      let (first, last) = (graph.add("first", Passing()), graph.add("last", Passing()))
      let hang = graph.add("hang", Hanging(until: released))
      let end = graph.add("end", NullSink())
      graph.connect(source.port("out", as: AnyMedia.self), to: first.port("in", as: AnyMedia.self))
      graph.connect(first.port("out", as: AnyMedia.self), to: hang.port("in", as: AnyMedia.self))
      graph.connect(hang.port("out", as: AnyMedia.self), to: last.port("in", as: AnyMedia.self))
      graph.connect(last.port("out", as: AnyMedia.self), to: end.port("in", as: AnyMedia.self))
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 1
      let run = try Pipeline(
        Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment(),
        configuration: configuration)
      let error = await #expect(throws: RunError.self) { try await run.run() }
      #expect(error?.report.failure?.isStall == true && error?.report.failure?.node == "hang")
      released.signal()
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

/// Hands all on.
private struct Passing: SwiftNode {
  static let declaration = NodeDeclaration<Passing>(
    "passing", role: .effect, help: "Hands all on.", example: "microphone -> passing",
    parameters: [])
  static let ports = EffectPorts<Audio>(.audio([.f32]))

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws { try outputs.send(sample) }
}

/// Waits with its first sample.
private struct Hanging: SwiftNode {
  private var released = DispatchSemaphore(value: 0)

  init() {}
  init(until released: DispatchSemaphore) { self.released = released }

  static let declaration = NodeDeclaration<Hanging>(
    "hanging", role: .effect, help: "Waits.", example: "microphone -> hanging", parameters: [])
  static let ports = EffectPorts<Audio>(.audio([.f32]))

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    released.wait()
    released.signal()
    try outputs.send(sample)
  }
}
