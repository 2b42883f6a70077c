import GraphKit
import Nodes

/// One run for each way in which a run can end.
enum LeakRuns {
  /// To its end: a movie of pictures and sound.
  static func record(into path: String) async throws {
    let pipeline = try pipeline(
      """
      { "nodes": {
          "picture": { "type": "testVideo", "width": 64, "height": 48, "frames": 15 },
          "look": { "type": "sepia" }, "plain": { "type": "nullSink" },
          "tone": { "type": "testAudio", "frames": 24000 },
          "gain": { "type": "gain", "decibels": -6 },
          "video": { "type": "h264Encoder", "preset": "ultrafast" },
          "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(path)", "overwrite": true } },
        "wires": ["picture -> look -> video -> movie.video", "picture -> plain",
          "tone -> gain -> audio -> movie.audio"] }
      """)
    _ = try await pipeline.run()
  }

  /// To its end: a waveform of the movie's sound.
  static func read(_ path: String) async throws {
    let pipeline = try pipeline(
      """
      { "nodes": {
          "movie": { "type": "file", "path": "\(path)" },
          "shape": { "type": "waveform" }, "sink": { "type": "nullSink" } },
        "wires": ["movie.audio -> shape -> sink"] }
      """)
    _ = try await pipeline.run()
  }

  /// To its end: samples that come from Swift and go to Swift.
  static func passThroughSwift() async throws {
    let pipeline = try pipeline(
      """
      { "nodes": {
          "in": { "type": "appInput" }, "gain": { "type": "gain", "decibels": -6 },
          "out": { "type": "appOutput" } },
        "wires": ["in -> gain -> out"] }
      """)
    let (input, output) = (try pipeline.input("in"), try pipeline.output("out"))
    pipeline.start()
    for block in 0..<10 {
      var sample = SampleBuffer(byteCount: 480 * 8, format: input.format)
      sample.presentationTime = MediaTime(value: Int64(block), timescale: 100)
      sample.duration = MediaTime(value: 1, timescale: 100)
      try await input.append(sample)
    }
    input.markAsFinished()
    while await output.next() != nil {}
    _ = try await pipeline.end()
  }

  /// To a failure in the middle, with samples on their way.
  static func fail() async throws {
    let pipeline = try pipeline(
      """
      { "nodes": {
          "tone": { "type": "testAudio", "frames": 480000 }, "pass": { "type": "pass" },
          "fault": {
            "type": "gst", "element": "identity", "properties": { "error-after": 20 } },
          "sink": { "type": "nullSink" } },
        "wires": ["tone -> pass -> fault -> sink"] }
      """)
    if (try? await pipeline.run()) != nil { throw LeakError.endedWell }
  }

  /// To a cancellation, with a source that would never end.
  static func cancel() async throws {
    let pipeline = try pipeline(
      """
      { "nodes": {
          "picture": { "type": "testVideo", "width": 64, "height": 48 },
          "video": { "type": "h264Encoder", "preset": "ultrafast" },
          "sink": { "type": "nullSink" } },
        "wires": ["picture -> video -> sink"] }
      """)
    let events = pipeline.events()
    pipeline.start()
    for await event in events {
      if case .state(.running) = event.kind { pipeline.cancel() }
    }
    if (try? await pipeline.end()) != nil { throw LeakError.endedWell }
  }

  private static func pipeline(_ json: String) throws -> Pipeline {
    let environment = LiveEnvironment()
    let graph = try Graph(
      checking: GraphDocument(json: json), catalog: .builtIn, environment: environment)
    return try Pipeline(Plan(graph), environment: environment)
  }
}

/// A run that was to fail didn't.
enum LeakError: Error { case endedWell }
