import GraphKit

/// Gives video another frame rate, with frames at exactly equal distances.
public struct FrameRate: SwiftNode {
  /// Where a frame's pixels come from.
  public enum Method: String, CaseIterable, Sendable {
    /// The frame that is on screen at its time: some are left out, or repeated.
    case choose
    /// A mix of those that are on screen around it.
    case blend
  }

  /// Frames a second that leave.
  public var frameRate = Rational(30)
  /// Where a frame's pixels come from.
  public var method = Method.choose
  private var known = KnownTimes()
  private var pacer: FramePacer?

  /// A node that gives 30 frames a second.
  public init() {}

  public static let declaration = NodeDeclaration<FrameRate>(
    "frameRate", role: .effect, help: "Gives video another frame rate, with exact times.",
    phrase: "given another frame rate",
    example: "decoder -> frameRate -> encoder",
    parameters: [
      .rational("frameRate", \.frameRate, unit: "1/s", help: "Frames a second that leave."),
      .choice(
        "method", \.method,
        help: "Whether the frame on screen is taken, or those around a time are mixed."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var portDeclarations: [PortDeclaration] {
    [
      PortDeclaration("in", .input, .video(PixelFormat.planar), help: "Video of any frame rate."),
      PortDeclaration(
        "out", .output, .video(PixelFormat.planar, frameRate: frameRate), follows: "in",
        help: "The video at its new frame rate."),
    ]
  }

  public var problem: NodeError? {
    guard frameRate > Rational(1000) else { return nil }
    return NodeError(
      "\(frameRate) frames a second are too many", remedy: "give at most 1000", key: "frameRate")
  }

  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    .frames(1, at: formats["in"]?.frameRate) + .frames(1, at: frameRate)
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    let leaving = try format.withFrameRate(frameRate)
    if pacer == nil { pacer = FramePacer(frameRate, method == .blend ? .blend : .choose) }
    try pacer?.begin(leaving, to: outputs)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    known.complete(&sample)
    try pacer?.add(HeldFrame(sample), to: outputs)
  }

  public mutating func finish(to outputs: NodeOutputs) throws { try pacer?.finish(to: outputs) }
}
