import GraphKit

/// A moving test pattern, from `videotestsrc`.
public struct TestVideo: ElementNode {
  /// The patterns that there are.
  public enum Pattern: String, CaseIterable, Sendable {
    case smpte, ball, snow, black, white, red, green, blue, gradient, pinwheel, spokes, colors
    case checkers = "checkers-8"
    case zonePlate = "zone-plate"
  }

  /// The pattern.
  public var pattern = Pattern.smpte
  /// Width in pixels.
  public var width = 640
  /// Height in pixels.
  public var height = 480
  /// Frames a second.
  public var frameRate = Rational(30)
  /// How pixels are stored; `nil` for a format that the consumer takes.
  public var pixelFormat: PixelFormat?
  /// How long, in seconds; `nil` for as many frames as ``frames`` says.
  public var seconds: Double?
  /// How many frames; `nil` for as long as ``seconds`` says, or for ever.
  public var frames: Int?
  /// Whether frames come as time passes.
  public var live = false

  /// An endless test pattern.
  public init() {}

  public static let declaration = NodeDeclaration<TestVideo>(
    "testVideo", role: .source, help: "A moving test pattern, limited in length or endless.",
    phrase: "generated as a test pattern of {width} by {height} pixels",
    example: "pattern -> videoEncoder",
    parameters: [
      .choice("pattern", \.pattern, help: "The pattern."),
      .integer("width", \.width, in: 1...16_384, unit: "px", help: "Width of the frames."),
      .integer("height", \.height, in: 1...16_384, unit: "px", help: "Height of the frames."),
      .rational("frameRate", \.frameRate, unit: "1/s", help: "Frames a second."),
      .choice(
        "pixelFormat", \.pixelFormat,
        help: "How pixels are stored; left out, what suits the next node."),
      .number(
        "seconds", \.seconds, in: 0...1_000_000, unit: "s",
        help: "How long it lasts; for ever where neither this nor `frames` is given, or at 0."),
      .integer("frames", \.frames, in: 0...2_000_000_000, help: "How many frames it has."),
      .bool("live", \.live, help: "Whether frames come as time passes, as from a camera."),
    ])

  public static let ports = SourcePorts<Video>(help: "The test pattern.")

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, format, help: "The test pattern.")]
  }

  public var traits: NodeTraits { NodeTraits(isLive: live) }

  public var problem: NodeError? {
    if seconds != nil, frames != nil { return .twoLengths }
    if frameRate > Rational(1000) {
      return NodeError(
        "\(frameRate) frames a second are too many", remedy: "give at most 1000", key: "frameRate")
    }
    guard frameRate.value < 0.001 else { return nil }
    return NodeError(
      "\(frameRate) frames a second are too few", remedy: "give at least 0.001", key: "frameRate")
  }

  var format: FormatConstraint {
    .video(pixelFormat.map { [$0] } ?? [], width: width, height: height, frameRate: frameRate)
  }

  /// The number of frames; -1 for no end.
  var bufferCount: Int {
    let count = frames ?? seconds.flatMap { Int(exactly: ($0 * frameRate.value).rounded()) } ?? 0
    return count > 0 ? min(count, Int(Int32.max)) : -1
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let source = ElementSpec(
      "videotestsrc", plugin: "videotestsrc",
      [
        "pattern": pattern.rawValue, "is-live": "\(live)", "num-buffers": "\(bufferCount)",
        "animation-mode": "frames",
      ])
    return [ElementChain([source, .filter(format.choosing(formats["out"]))], inputs: [:])]
  }
}

extension NodeError {
  static let twoLengths = NodeError(
    "both `seconds` and `frames` are given", remedy: "give one of them", key: "frames")
}
