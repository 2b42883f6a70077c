import GraphKit

/// A source of frames that carry their own number, to be read by ``FrameNumber/read(_:)``.
public struct CounterFrames: SourceNode {
  /// How many frames.
  public var frames = 30
  /// Width in pixels; at least sixteen.
  public var width = 64
  /// Height in pixels.
  public var height = 48
  /// Frames a second.
  public var frameRate = Rational(30)
  /// How pixels are stored.
  public var pixelFormat = PixelFormat.i420
  private var next = 0
  private var pool: PixelBufferPool?

  /// A second of small frames.
  public init() {}

  /// Some frames.
  public init(frames: Int, pixelFormat: PixelFormat = .i420) {
    self.frames = frames
    self.pixelFormat = pixelFormat
  }

  public static let declaration = NodeDeclaration<CounterFrames>(
    "counterFrames", role: .source, help: "Frames that carry their own number.",
    example: "counterFrames -> encoder",
    parameters: [
      .integer("frames", \.frames, in: 0...1_000_000, help: "How many frames."),
      .integer("width", \.width, in: 16...16_384, unit: "px", help: "Width of the frames."),
      .integer("height", \.height, in: 1...16_384, unit: "px", help: "Height of the frames."),
      .rational("frameRate", \.frameRate, unit: "1/s", help: "Frames a second."),
      .choice("pixelFormat", \.pixelFormat, help: "How pixels are stored; yuy2 can't be drawn."),
    ])

  public static let ports = SourcePorts<Video>(help: "The frames.")

  public var portDeclarations: [PortDeclaration] {
    let format = FormatConstraint.video(
      [pixelFormat], width: width, height: height, frameRate: frameRate)
    return [PortDeclaration("out", .output, format, help: "The frames.")]
  }

  public var problem: NodeError? {
    guard pixelFormat == .yuy2 else { return nil }
    return NodeError(
      "counterFrames can't draw yuy2", remedy: "put a videoConvert after it", key: "pixelFormat")
  }

  public mutating func start(to outputs: NodeOutputs) throws {
    let format = VideoFormat(pixelFormat, width: width, height: height, frameRate: frameRate)
    let pool = try PixelBufferPool(format)
    self.pool = pool
    try outputs.announce(pool.format, on: 0)
  }

  public mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard let pool, next < frames else { return false }
    var sample = try pool.take()
    do {
      var frame = try sample.videoFrame()
      FrameNumber.draw(next, in: &frame)
    }
    sample.presentationTime = time(of: next)
    sample.duration = time(of: next + 1) - sample.presentationTime
    try outputs.send(sample)
    next += 1
    return next < frames
  }

  /// When a frame is to be presented.
  public func time(of frame: Int) -> MediaTime {
    let period = frameRate.numerator > 0 ? 1_000_000_000 * frameRate.denominator : 0
    return MediaTime(nanoseconds: frame * period / max(1, frameRate.numerator))
  }
}
