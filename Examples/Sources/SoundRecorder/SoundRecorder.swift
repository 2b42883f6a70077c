import GraphKit
import Nodes

/// Records a microphone as AAC into an M4A file.
struct SoundRecorder {
  private let pipeline: Pipeline

  /// A recorder that is ready to begin. Throws where a file is there already.
  init(path: String) throws {
    var builder = GraphBuilder(catalog: .builtIn)
    let microphone = builder.add("microphone", Microphone())
    let encoder = builder.add("encoder", AACEncoder()) { $0.bitRate = 96_000 }
    let file = builder.add("file", MP4Sink()) { $0.path = path }
    builder.connect(microphone.output, to: encoder.input)
    builder.connect(encoder.output, to: file.audio)
    let machine = LiveEnvironment()
    pipeline = try Pipeline(Plan(builder.build(in: machine)), environment: machine)
  }

  /// Begins to record.
  func start() { pipeline.start() }

  /// Halts the recording; the file has no gap there.
  func pause() { pipeline.pause() }

  /// Goes on.
  func resume() { pipeline.resume() }

  /// Ends in order, and says how long the file is, in seconds.
  func stop() async throws -> Double {
    pipeline.finish()
    let report = try await pipeline.end()
    return report.outputs.first?.contents?.duration ?? 0
  }
}
