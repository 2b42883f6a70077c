import GraphKit

/// Video of an X11 screen, or a part of it; a live test pattern where there is none.
public struct Screen: ElementNode {
  /// `auto`, or a display such as `:0`.
  public var device = "auto"
  /// The left edge of the part, in pixels.
  public var x = 0
  /// The upper edge of the part, in pixels.
  public var y = 0
  /// The width of the part; `nil` for all.
  public var width: Int?
  /// The height of the part; `nil` for all.
  public var height: Int?
  /// Frames a second.
  public var frameRate = Rational(30)
  /// How pixels are stored; `nil` for a format that the consumer takes.
  public var pixelFormat: PixelFormat?
  /// Whether the mouse pointer is in the frame.
  public var pointer = true
  /// The display that was found; `nil` where a test pattern is used instead.
  private var found: String?

  /// The default screen.
  public init() {}

  public static let declaration = NodeDeclaration<Screen>(
    "screen", role: .source,
    help: "Video of an X11 screen, or a test pattern where there is none.",
    phrase: "captured from a screen",
    example: "screen -> videoEncoder",
    parameters: [
      .string("device", \.device, help: "`auto`, which takes $DISPLAY, or a display such as `:0`."),
      .integer("x", \.x, in: 0...32_767, unit: "px", help: "The left edge of the part to record."),
      .integer("y", \.y, in: 0...32_767, unit: "px", help: "The upper edge of the part to record."),
      .integer("width", \.width, in: 16...32_768, unit: "px", help: "Width of the part, or all."),
      .integer(
        "height", \.height, in: 16...32_768, unit: "px", help: "Height of the part, or all."),
      .rational("frameRate", \.frameRate, unit: "1/s", help: "Frames a second."),
      .choice(
        "pixelFormat", \.pixelFormat,
        help: "How pixels are stored; left out, what suits the next node."),
      .bool("pointer", \.pointer, help: "Whether the mouse pointer is recorded."),
    ])

  public static let ports = SourcePorts<Video>(help: "The screen's video.")

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, format, help: "The screen's video.")]
  }

  public var traits: NodeTraits { NodeTraits(isLive: true) }

  public var problem: NodeError? {
    guard (width == nil) != (height == nil) else { return nil }
    return NodeError(
      "of `width` and `height` only one is given", remedy: "give both or neither",
      key: width == nil ? "width" : "height")
  }

  /// A test pattern has a size even where the part to record has none.
  private var format: FormatConstraint {
    let standIn: (Int?, Int?) = found == nil && isResolved ? (1280, 720) : (nil, nil)
    return .video(
      pixelFormat.map { [$0] } ?? [], width: width ?? standIn.0, height: height ?? standIn.1,
      frameRate: frameRate)
  }

  private var isResolved = false

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    let devices = environment.devices(.screen)
    isResolved = true
    if device == "auto" {
      found = devices.first?.identifier
      guard let found else {
        return ["no X server answers at $DISPLAY: using a live test pattern"]
      }
      try checkPart(of: environment.screenSize(of: found))
      return []
    }
    // Another display than $DISPLAY is in no list, but it may well be there.
    guard device.contains(":") else { throw .noDevice("screen", device, devices) }
    found = device
    try checkPart(of: environment.screenSize(of: device))
    return []
  }

  /// A part beyond the edge would be recorded smaller than asked for, and drawn out.
  private func checkPart(of screen: ScreenSize?) throws(NodeError) {
    guard let screen else { return }
    let (right, bottom) = (x + (width ?? 1), y + (height ?? 1))
    guard right > screen.width || bottom > screen.height else { return }
    throw NodeError(
      "the part to record goes to \(right), \(bottom), and the screen is "
        + "\(screen.width)x\(screen.height)",
      remedy: "give a part that is within the screen",
      key: right > screen.width ? (width == nil ? "x" : "width") : (height == nil ? "y" : "height"))
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    guard let found else { return try standIn.elements(in: environment, formats: formats) }
    var properties = [
      "display-name": found, "use-damage": "false", "show-pointer": "\(pointer)",
      "startx": "\(x)", "starty": "\(y)",
    ]
    if let width, let height {
      properties["endx"] = "\(x + width - 1)"
      properties["endy"] = "\(y + height - 1)"
    }
    let source = ElementSpec("ximagesrc", plugin: "ximagesrc", properties)
    return [
      ElementChain(
        [source] + ElementSpec.videoConversion + [.filter(format.choosing(formats["out"]))],
        inputs: [:])
    ]
  }

  private var standIn: TestVideo {
    var picture = TestVideo()
    picture.pattern = .ball
    (picture.width, picture.height) = (width ?? 1280, height ?? 720)
    (picture.frameRate, picture.pixelFormat) = (frameRate, pixelFormat)
    picture.live = true
    return picture
  }
}
