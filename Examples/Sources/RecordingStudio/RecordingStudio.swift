import GraphKit
import Nodes
import Synchronization

/// Records a camera with a look, in a shape, with a logo, and with a sticker and sparks at the moment
/// they are asked for. What is recorded is shown meanwhile.
///
/// All of it is one graph. `graphs/studio.json` is the same for the command line.
final class RecordingStudio: Sendable {
  /// The shape of the movie.
  enum Shape: String, CaseIterable, Sendable {
    case square = "1:1"
    case portrait = "3:4"
    case story = "9:16"
  }

  private let pipeline: Pipeline
  private let screen: PreviewOutput
  /// When the newest frame on the screen is presented.
  private let now = Mutex(MediaTime.zero)

  /// A studio that is ready to record. Throws where the movie can't be made, and where a picture of the
  /// folder `assets` isn't there.
  init(path: String, shape: Shape, assets: String, width: Int = 1280, height: Int = 720) throws {
    var builder = GraphBuilder(catalog: .builtIn)
    let camera = builder.add("camera", Camera()) { ($0.width, $0.height) = (width, height) }
    let look = builder.add("look", PhotoFilter(.chrome, intensity: 0.7))
    let crop = builder.add("crop", Crop()) { $0.aspectRatio = shape.rawValue }
    // Neither is seen before its time, which is set while it records.
    let sticker = builder.add("sticker", Sticker()) {
      ($0.path, $0.from, $0.plays) = ("\(assets)/star.png", Self.never, 0)
    }
    let sparks = builder.add("sparks", Particles()) {
      ($0.from, $0.rate, $0.life, $0.size) = (Self.never, 400, 1.5, 0.03)
    }
    let logo = builder.add("logo", Watermark()) {
      ($0.path, $0.corner) = ("\(assets)/logo.png", .topRight)
    }
    let video = builder.add("video", H264Encoder())
    let microphone = builder.add("microphone", Microphone())
    let audio = builder.add("audio", AACEncoder()) { $0.bitRate = 96_000 }
    let movie = builder.add("movie", MP4Sink()) { $0.path = path }
    let screen = builder.add("screen", Preview()) { $0.width = 360 }
    builder.connect(camera.output, to: look.input)
    builder.connect(look.output, to: crop.input)
    builder.connect(crop.output, to: sticker.input)
    builder.connect(sticker.output, to: sparks.input)
    builder.connect(sparks.output, to: logo.input)
    builder.connect(logo.output, to: video.input)
    builder.connect(logo.output, to: screen.input)
    builder.connect(video.output, to: movie.video)
    builder.connect(microphone.output, to: audio.input)
    builder.connect(audio.output, to: movie.audio)
    let machine = LiveEnvironment()
    pipeline = try Pipeline(Plan(builder.build(in: machine)), environment: machine)
    self.screen = try pipeline.preview("screen")
  }

  private static let never = 1_000_000.0

  /// Records until ``stop()``, and has `show` put each frame on the screen that it comes to: it holds
  /// nothing up, however slow it is. Returns the account of what was recorded.
  func run(show: @escaping @Sendable (consuming SampleBuffer) -> Void) async throws -> Report {
    let watching = Task {
      while let frame = await screen.next() {
        let time = frame.presentationTime
        now.withLock { $0 = time }
        show(frame)
      }
    }
    let report = try await pipeline.run()
    await watching.value
    return report
  }

  /// Shows the sticker from now on, for some seconds.
  func stick(for seconds: Double) throws { try appear("sticker", for: seconds) }

  /// Lets sparks fly from now on, for some seconds.
  func sparkle(for seconds: Double) throws { try appear("sparks", for: seconds) }

  private func appear(_ node: String, for seconds: Double) throws {
    let now = now.withLock { $0.seconds }
    try pipeline.set([
      "\(node).from": .number(now), "\(node).until": .number(now + seconds),
    ])
  }

  /// Ends the recording in order.
  func stop() { pipeline.finish() }
}

extension Report {
  /// How many samples of the devices came late: what follows had no room for them.
  var lateCount: Int { wires.values.reduce(0) { $0 + ($1.dropped["wireFull"] ?? 0) } }
}
