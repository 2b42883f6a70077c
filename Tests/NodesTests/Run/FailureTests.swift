import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// Fails with its hundredth sample.
private struct Fragile: SwiftNode {
  var count = 0
  static let declaration = NodeDeclaration<Fragile>(
    "fragile", role: .effect, help: "Fails after a while.", example: "a -> fragile -> b")
  static let ports = EffectPorts<Audio>()

  mutating func process(_ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs)
    throws
  {
    count += 1
    if count == 100 { throw NodeError("the hundredth sample is bad", remedy: "leave it out") }
    try outputs.send(sample, on: 0)
  }
}

extension RunTests {
  @Suite struct FailureTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    var catalog: Catalog {
      var catalog = Catalog.builtIn
      _ = catalog.add(NodeType(Fragile.self))
      return catalog
    }

    @Test func aFailingNodeIsNamedAndTheMovieIsClosed() async throws {
      let path = scratch.path("a.mp4")
      let run = try pipeline(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 320, "height": 180, "seconds": 20 },
            "microphone": { "type": "testAudio", "seconds": 20 },
            "weak": { "type": "fragile" },
            "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["camera -> video -> movie.video", "microphone -> weak -> audio -> movie.audio"] }
        """, catalog: catalog)
      let error = await #expect(throws: RunError.self) { try await run.run() }
      let report = try #require(error?.report)
      #expect(report.state == .failed)
      #expect(report.failure?.node == "weak")
      #expect(report.failure?.message == "the hundredth sample is bad")
      #expect(report.failure?.remedy == "leave it out")
      #expect(report.unbalanced == [])
      let streams = try probe(path)
      #expect(streams.count == 2)
      #expect(try decodeComplaints(path) == "")
    }

    @Test("a track whose first sample takes long isn't left out where nothing is live")
    func aTrackThatNeedsItsTime() async throws {
      let path = scratch.path("a.mp4")
      // All of the audio is measured before the first of it leaves.
      var plan = try plan(
        """
        { "nodes": {
            "frames": { "type": "testVideo", "width": 64, "height": 48, "seconds": 2 },
            "tone": { "type": "testAudio", "seconds": 40 },
            "loud": { "type": "loudnessNormalize" },
            "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["frames -> video -> movie.video", "tone -> loud -> audio -> movie.audio"] }
        """)
      plan.allowFirstSamples(MediaTime(value: 1, timescale: 1))
      let report = try await Pipeline(plan, environment: LiveEnvironment()).run()
      #expect(report.unbalanced == [] && report.warnings ?? [] == [], "\(report)")
      let streams = try probe(path)
      try #require(streams.map(\.codec_name) == ["h264", "aac"])
      #expect(abs(streams[1].end - 40) < 0.1)
    }

    @Test func aTrackWithoutSamplesIsLeftOut() async throws {
      let path = scratch.path("a.mp4")
      var plan = try plan(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 320, "height": 180, "live": true },
            "nobody": { "type": "appInput", "media": "audio" },
            "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["camera -> video -> movie.video", "nobody -> audio -> movie.audio"] }
        """)
      plan.allowFirstSamples(MediaTime(value: 1, timescale: 1))
      let run = try Pipeline(plan, environment: LiveEnvironment())
      let warnings = Task {
        var warnings: [String] = []
        for await event in run.events() {
          if case .warning(_, let message) = event.kind { warnings.append(message) }
        }
        return warnings
      }
      run.start()
      #expect(await run.reaches(2.0))
      // What a kill at this moment would leave: every write has left the process.
      let killed = scratch.path("killed.mp4")
      try FileManager.default.copyItem(atPath: path, toPath: killed)
      try run.input("nobody").markAsFinished()
      run.finish()
      let report = try await run.end()
      #expect(report.unbalanced == [])
      #expect(
        await warnings.value.contains { $0.contains("movie.audio") && $0.contains("left out") })
      let streams = try probe(path)
      #expect(streams.map(\.codec_name) == ["h264"])
      #expect(streams[0].frames == report.wires["video.out -> movie.video"]?.samplesOut)
      #expect(streams[0].end > 1.9)
      #expect(try decodeComplaints(path) == "")
      #expect(try probe(killed).map(\.codec_name) == ["h264"])
      #expect(try decodeComplaints(killed) == "")
      let summary = try MovieReader.read(killed)
      #expect(summary.isFragmented && summary.duration > 1, "\(summary)")
    }

    @Test func aGraphWithoutQueuesIsNoStall() async throws {
      // Of elements and a stage, with nothing held anywhere, for longer than the timeout.
      let json = """
        { "nodes": {
            "tone": { "type": "testAudio", "seconds": 1 },
            "paced": {
              "type": "gst", "element": "identity", "properties": { "sleep-time": 50000 } },
            "pass": { "type": "pass" }, "sink": { "type": "nullSink" } },
          "wires": ["tone -> paced -> pass -> sink"] }
        """
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 0.5
      let pipeline = try Pipeline(
        plan(json), environment: LiveEnvironment(), configuration: configuration)
      let report = try await pipeline.run()
      #expect(report.wires["pass.out -> sink.in"]?.samplesOut == 24)
    }

    @Test func theStallDoctorNamesWhoWaitsForWhom() async throws {
      let json = """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 320, "height": 180, "seconds": 10 },
            "slow": { "type": "h264Encoder", "lookahead": 120, "keyFrameInterval": 250, "preset": "veryfast" },
            "fast": { "type": "h264Encoder", "lookahead": 0, "bFrames": 0, "preset": "ultrafast" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["camera -> slow -> movie.video", "camera -> fast -> movie.video.2"] }
        """
      let report = try await pipeline(json).run()
      #expect(report.unbalanced == [])

      let unsized: [any PlanPass] = [Negotiate(), FuseStages(), SizeQueues(holdsDelays: false)]
      var configuration = Pipeline.Configuration()
      // Less than the time after which a track without samples is left out, however busy other
      // tests keep the process.
      configuration.stallTimeout = 0.5
      configuration.growsQueues = false
      let again = json.replacingOccurrences(of: "a.mp4", with: "b.mp4")
      let stalled = try Pipeline(
        plan(again, passes: unsized), environment: LiveEnvironment(), configuration: configuration)
      let error = await #expect(throws: RunError.self) { try await stalled.run() }
      let failure = try #require(error?.report.failure)
      #expect(failure.message.hasPrefix("nothing moved for 0.5 s"))
      #expect(failure.message.contains("slow waits for a sample on camera.out -> slow.in"))
      #expect(failure.message.contains("camera waits since camera.out -> fast.in is full"))
      #expect(failure.message.contains("fast waits since fast.out -> movie.video.2 is ahead of"))
    }

    /// The time of a pause isn't one in which a first sample is waited for.
    @Test func aPauseBeforeTheFirstSampleLeavesNothingOut() async throws {
      let scratch = try TestFolder()
      let path = scratch.path("a.mp4")
      var plan = try plan(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "live": true, "seconds": 1, "width": 64, "height": 48 },
            "tone": { "type": "testAudio", "live": true, "seconds": 1 },
            "video": { "type": "h264Encoder", "preset": "ultrafast" },
            "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)", "overwrite": true } },
          "wires": ["camera -> video -> movie.video", "tone -> audio -> movie.audio"] }
        """)
      plan.allowFirstSamples(MediaTime(value: 2, timescale: 1))
      let run = try Pipeline(plan, environment: LiveEnvironment())
      run.pause()
      run.start()
      #expect(await run.enters(.paused))
      let clock = try pipeline(
        """
        { "nodes": { "tone": { "type": "testAudio", "live": true, "seconds": 2.5 },
                     "end": { "type": "nullSink" } }, "wires": ["tone -> end"] }
        """)
      #expect(try await clock.run().state == .completed)
      run.resume()
      let report = try await run.end()
      #expect(report.warnings?.contains { $0.message.contains("is left out") } != true)
      #expect(try probe(path).count == 2)
    }
  }
}

extension Plan {
  /// Has sinks go on without inputs that have had no sample for so long.
  fileprivate mutating func allowFirstSamples(_ time: MediaTime) {
    for index in wires.indices {
      guard case .queue(var policy) = wires[index].lowering, policy.firstSampleTimeout != nil else {
        continue
      }
      policy.firstSampleTimeout = time
      wires[index].lowering = .queue(policy)
    }
  }
}
