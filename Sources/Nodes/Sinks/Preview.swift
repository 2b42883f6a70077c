import GraphKit

/// Shows the newest frame, and never holds anything up: to the program, in a file, or in a window.
public struct Preview: PreviewNode, SwiftNode, ElementNode {
  /// The file that always has the newest frame; empty where a program or a window shows it.
  public var path = ""
  /// Whether a window shows it.
  public var window = false
  /// The greatest width; `nil` for that of the frames.
  public var width: Int?
  /// The greatest height; `nil` for that of the frames.
  public var height: Int?
  /// Frames a second, at most; `nil` for 2 into a file, and for all that are taken elsewhere.
  public var maxFrameRate: Double?
  /// How a program gets pixels.
  public var pixelFormat = PixelFormat.bgra

  private var scaler: FrameScaler?
  private var limiter = FrameLimiter(frameRate: nil)
  private var hasWarned = false
  /// The newest frame, where it came too soon after the one that was written.
  private var latest: HeldFrame?

  /// A preview for the program.
  public init() {}

  public static let declaration = NodeDeclaration<Preview>(
    "preview", role: .sink, help: "Shows the newest frame, and never holds anything up.",
    example: "look -> preview",
    parameters: [
      .path(
        "path", \.path, required: false,
        help: "A .png, .jpg or .webp file that always has the newest frame, whole."),
      .bool("window", \.window, help: "Whether a window shows it."),
      .integer(
        "width", \.width, in: 1...16_384, unit: "px",
        help: "The greatest width, but of a window; no frame grows."),
      .integer(
        "height", \.height, in: 1...16_384, unit: "px",
        help: "The greatest height, but of a window; no frame grows."),
      .number(
        "maxFrameRate", \.maxFrameRate, in: 0.001...1000, unit: "1/s",
        help: "Frames a second at most, and the last, but of a window; 2 for a file by default."),
      .choice("pixelFormat", \.pixelFormat, help: "How a program gets pixels."),
    ])

  public static let ports = SinkPorts<Video>(
    .video(PixelFormat.allCases), help: "What is to be shown.")

  public var traits: NodeTraits { NodeTraits(takesNewestOnly: true, needsUprightVideo: true) }

  public var preview: PreviewSettings {
    var settings = PreviewSettings()
    (settings.width, settings.height) = (width, height)
    (settings.pixelFormat, settings.maxFrameRate) = (pixelFormat, maxFrameRate)
    return settings
  }

  // Which of the three it is depends on its parameters.
  public var work: NodeWork {
    guard path.isEmpty else { return .swift(self) }
    return window ? .elements(self) : .preview(self)
  }

  public var problem: NodeError? {
    guard !path.isEmpty else { return nil }
    if window {
      return NodeError(
        "both `path` and `window` are given", remedy: "use a preview for each", key: "window")
    }
    guard StillImage(path: path) == nil else { return nil }
    return NodeError(
      "`\(path)` names no kind of picture", remedy: "end it in .png, .jpg or .webp", key: "path")
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    if window, environment.devices(.screen).isEmpty {
      throw NodeError(
        "there is no display for a window", remedy: "set DISPLAY, or give a `path`", key: "window")
    }
    guard let kind = StillImage(path: path) else { return [] }
    // What an earlier run has shown is there to be replaced.
    try OutputFile(path, replaces: true).check(in: environment)
    guard environment.isInstalled(kind.element) else {
      throw NodeError(
        "the GStreamer element `\(kind.element.factory)` isn't installed",
        remedy: "install \(kind.debianPackage)", key: "path")
    }
    return []
  }

  // MARK: A file

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard scaler == nil, let kind = StillImage(path: path) else { return }
    scaler = FrameScaler(kind.pixelFormat, width: width, height: height, copies: true)
    limiter = FrameLimiter(frameRate: maxFrameRate ?? 2)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard limiter.takes(sample.presentationTime) else {
      latest = HeldFrame(sample)
      return
    }
    latest = nil
    write(sample, warning: outputs)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if let latest { write(latest.sample, warning: outputs) }
    latest = nil
  }

  private mutating func write(_ sample: borrowing SampleBuffer, warning outputs: NodeOutputs) {
    guard let kind = StillImage(path: path), let scaler else { return }
    do throws(NodeError) {
      let picture = try kind.bytes(of: scaler.frame(of: sample))
      var file = try WholeFile(path)
      try file.write(picture)
      try file.complete()
    } catch {
      // What is recorded beside it is more important.
      if !hasWarned { outputs.warn(error.description) }
      hasWarned = true
    }
  }

  // MARK: A window

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let convert = ElementSpec("videoconvert", plugin: "videoconvertscale")
    // Which plug-in shows it, only the registry knows.
    let sink = ElementSpec("autovideosink", plugin: nil, ["sync": "false"])
    return [ElementChain([convert, sink], outputs: [:])]
  }
}
