import GraphKit

/// Video from a camera, through Video4Linux; a live test pattern where there is none.
public struct Camera: ElementNode {
  /// How the camera sends its frames.
  public enum Transfer: String, CaseIterable, Sendable { case raw, jpeg }

  /// `auto`, or a device such as `/dev/video0`.
  public var device = "auto"
  /// How the camera sends its frames: most reach high rates at high resolutions as JPEG only.
  public var transfer = Transfer.raw
  /// Width in pixels.
  public var width = 1280
  /// Height in pixels.
  public var height = 720
  /// Frames a second.
  public var frameRate = Rational(30)
  /// How pixels are stored; `nil` for a format that the consumer takes.
  public var pixelFormat: PixelFormat?
  /// The device that was found; `nil` where a test pattern is used instead.
  private var found: String?

  /// The first camera there is.
  public init() {}

  public static let declaration = NodeDeclaration<Camera>(
    "camera", role: .source, help: "Video from a camera, or a test pattern where there is none.",
    phrase: "captured by a camera with {width} by {height} pixels at {frameRate} frames a second",
    example: "camera -> videoEncoder",
    parameters: [
      .string("device", \.device, help: "`auto`, or a device such as `/dev/video0`."),
      .choice(
        "transfer", \.transfer,
        help: "How the camera sends its frames; many are fast in high resolution as jpeg only."),
      .integer("width", \.width, in: 16...16_384, unit: "px", help: "Width of the frames."),
      .integer("height", \.height, in: 16...16_384, unit: "px", help: "Height of the frames."),
      .rational("frameRate", \.frameRate, unit: "1/s", help: "Frames a second."),
      .choice(
        "pixelFormat", \.pixelFormat,
        help: "How pixels are stored; left out, what suits the next node."),
    ])

  public static let ports = SourcePorts<Video>(help: "The camera's video.")

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, format, help: "The camera's video.")]
  }

  public var traits: NodeTraits { NodeTraits(isLive: true) }

  private var format: FormatConstraint {
    .video(pixelFormat.map { [$0] } ?? [], width: width, height: height, frameRate: frameRate)
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    found = try environment.captureDevice(.camera, named: device)
    return found == nil
      ? ["no camera among the devices /dev/video*: using a live test pattern"] : []
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    guard let found else { return try standIn.elements(in: environment, formats: formats) }
    let source = ElementSpec("v4l2src", plugin: "video4linux2", ["device": found])
    return [
      ElementChain(
        [source] + decoding + ElementSpec.videoConversion + [
          .filter(format.choosing(formats["out"]))
        ], inputs: [:])
    ]
  }

  private var decoding: [ElementSpec] {
    guard transfer == .jpeg else { return [] }
    // A camera that hasn't this very size gives another, which is then scaled.
    let wanted = "image/jpeg, width=(int)\(width), height=(int)\(height); image/jpeg"
    return [
      ElementSpec("capsfilter", plugin: "coreelements", ["caps": wanted]),
      ElementSpec("jpegdec", plugin: "jpeg"),
    ]
  }

  private var standIn: TestVideo {
    var picture = TestVideo()
    picture.pattern = .smpte
    (picture.width, picture.height) = (width, height)
    (picture.frameRate, picture.pixelFormat) = (frameRate, pixelFormat)
    picture.live = true
    return picture
  }
}
