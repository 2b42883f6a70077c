import AssetIO
import GraphKit
import Nodes

/// A camera with a photo filter, recorded with a microphone. The filter changes while it records.
///
/// A graph has the devices and the filter, a recorder the movie: it begins with the first picture.
struct FilterCamera: Sendable {
  /// The movie: when it begins, halts and is marked.
  let recorder: MovieRecorder
  private let pipeline: Pipeline
  private let feeds: [Feed]

  /// A camera and a microphone, or a test picture and tone where there are none. Throws where the movie
  /// can't be made.
  init(path: String, width: Int = 1280, height: Int = 720) throws {
    let picture = VideoFormat(.i420, width: width, height: height, frameRate: Rational(30))
    let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 2)
    recorder = try MovieRecorder(path: path)
    pipeline = try Self.pipeline(picture, sound)
    feeds = [
      Feed(
        from: try pipeline.output("frames"), to: try recorder.input(for: .video(picture))),
      Feed(from: try pipeline.output("blocks"), to: try recorder.input(for: .audio(sound))),
    ]
  }

  private static func pipeline(_ picture: VideoFormat, _ sound: AudioFormat) throws -> Pipeline {
    var builder = GraphBuilder(catalog: .builtIn)
    let camera = builder.add("camera", Camera()) {
      ($0.width, $0.height, $0.frameRate) = (picture.width, picture.height, Rational(30))
    }
    let look = builder.add("look", PhotoFilter(.chrome))
    let pixels = builder.add("pixels", VideoConvert()) { $0.pixelFormat = picture.pixelFormat }
    let frames = builder.add("frames", AppOutput())
    builder.connect(camera.output, to: look.input)
    builder.connect(look.output, to: pixels.input)
    builder.connect(pixels.output, to: frames.input)
    let microphone = builder.add("microphone", Microphone())
    let samples = builder.add("samples", AudioConvert()) {
      ($0.sampleFormat, $0.sampleRate, $0.channels) = (.s16, sound.sampleRate, sound.channels)
    }
    let blocks = builder.add("blocks", AppOutput())
    builder.connect(microphone.output, to: samples.input)
    builder.connect(samples.output, to: blocks.input)
    let machine = LiveEnvironment()
    return try Pipeline(Plan(builder.build(in: machine)), environment: machine)
  }

  /// Records until ``stop()``; returns the account of what was written.
  func run() async throws -> Report {
    try recorder.prepare()
    try recorder.record()
    pipeline.start()
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for feed in feeds { group.addTask { try await feed.run() } }
        try await group.waitForAll()
      }
    } catch {
      // What was recorded until then is whole.
      pipeline.cancel()
      _ = try? await recorder.finish()
      throw error
    }
    let devices = await pipeline.report()
    let report = try await recorder.finish()
    if let failure = devices.failure { throw failure }
    return report
  }

  /// Changes the filter, from the next frame on.
  func show(_ style: PhotoFilter.Style) throws {
    try pipeline.set("look.style", .string(style.rawValue))
  }

  /// Ends the recording in order.
  func stop() { pipeline.finish() }
}

/// Hands what a device gives to the recorder, which never waits.
private struct Feed: Sendable {
  let output: SampleOutput
  let input: RecorderInput

  init(from output: SampleOutput, to input: RecorderInput) {
    (self.output, self.input) = (output, input)
  }

  func run() async throws {
    while let sample = await output.next() { try input.append(sample) }
  }
}
