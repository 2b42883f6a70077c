import GraphKit

/// Changes the pixel format, size or rate of frames.
///
/// Frames of another shape are shown as before, since their pixels aren't square any more: ``Scale`` gives
/// them bars, cuts or stretches them.
public struct VideoConvert: ElementNode {
  /// How pixels are to be stored; `nil` to leave that.
  public var pixelFormat: PixelFormat?
  /// Width in pixels; `nil` to leave it.
  public var width: Int?
  /// Height in pixels; `nil` to leave it.
  public var height: Int?
  /// Frames a second; `nil` to leave it.
  public var frameRate: Rational?

  /// A converter that changes nothing yet.
  public init() {}

  public static let declaration = NodeDeclaration<VideoConvert>(
    "videoConvert", role: .converter,
    help: "Changes the pixel format, size or frame rate of video.",
    phrase: "converted",
    example: "camera -> videoConvert -> encoder",
    parameters: [
      .choice("pixelFormat", \.pixelFormat, help: "How pixels are to be stored."),
      .integer(
        "width", \.width, in: 1...16_384, unit: "px",
        help: "The width to scale to; pixels change their shape with the frame's."),
      .integer(
        "height", \.height, in: 1...16_384, unit: "px", help: "The height to scale to; the same."),
      .rational(
        "frameRate", \.frameRate, unit: "1/s",
        help: "Frames a second, by repeating some or leaving some out."),
    ])

  public static let ports = EffectPorts<Video>()

  public var traits: NodeTraits { NodeTraits(isFramewise: frameRate == nil) }

  public var portDeclarations: [PortDeclaration] {
    let input = PortDeclaration(
      "in", .input, FormatConstraint(.video), help: "Raw video of any format.")
    return [
      input,
      PortDeclaration("out", .output, format, follows: "in", help: "The converted video."),
    ]
  }

  private var format: FormatConstraint {
    .video(
      pixelFormat.map { [$0] } ?? [], width: width, height: height, frameRate: frameRate)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var elements: [ElementSpec] = []
    if frameRate != nil { elements.append(.frameRate) }
    if width != nil || height != nil {
      elements.append(ElementSpec("videoscale", plugin: "videoconvertscale"))
    }
    if pixelFormat != nil || elements.isEmpty {
      elements.append(ElementSpec("videoconvert", plugin: "videoconvertscale"))
    }
    return [ElementChain(elements + [.filter(format)])]
  }
}
