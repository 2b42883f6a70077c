import GraphKit
import GraphKitSystem

/// Shows the newest frame, and never holds anything up: to the program, in a file, in browsers, or in a
/// window.
public struct Preview: PreviewNode, SwiftNode, ElementNode {
  /// The file that always has the newest frame; empty where something else shows it.
  public var path = ""
  /// The address at which browsers are shown it, such as `127.0.0.1:8080`; empty for none.
  public var address = ""
  /// Whether a window shows it.
  public var window = false
  /// The greatest width; `nil` for that of the frames.
  public var width: Int?
  /// The greatest height; `nil` for that of the frames.
  public var height: Int?
  /// Frames a second, at most; `nil` for 2 into a file, 10 to browsers, and for all that are taken
  /// elsewhere.
  public var maxFrameRate: Double?
  /// How a program gets pixels.
  public var pixelFormat = PixelFormat.bgra

  private var scaler: FrameScaler?
  private var limiter = FrameLimiter(frameRate: nil)
  private var server: ImageServer?
  /// Of what no browser looks at, a picture a second is made, so that a browser that comes has one.
  private var unwatched = FrameLimiter(frameRate: 1)
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
      .string(
        "address", \.address,
        help:
          "Where browsers are shown it over HTTP: `127.0.0.1:8080` to this machine alone, `:8080` to "
          + "all that reach it."),
      .bool("window", \.window, help: "Whether a window shows it."),
      .integer(
        "width", \.width, in: 1...16_384, unit: "px",
        help: "The greatest width, but of a window; a smaller frame keeps its size."),
      .integer(
        "height", \.height, in: 1...16_384, unit: "px",
        help: "The greatest height, but of a window; a smaller frame keeps its size."),
      .number(
        "maxFrameRate", \.maxFrameRate, in: 0.001...1000, unit: "1/s",
        help:
          "Frames a second at most, and the last, but of a window; 2 for a file by default, 10 for "
          + "browsers."),
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

  public var servedAddresses: [ServedAddress] {
    PageAddress(address).map { [$0.served] } ?? []
  }

  // Which of the three it is depends on its parameters.
  public var work: NodeWork {
    guard path.isEmpty, address.isEmpty else { return .swift(self) }
    return window ? .elements(self) : .preview(self)
  }

  public var problem: NodeError? {
    let given = [("path", !path.isEmpty), ("address", !address.isEmpty), ("window", window)].filter(
      \.1)
    if given.count > 1 {
      return NodeError(
        "both `\(given[0].0)` and `\(given[1].0)` are given", remedy: "use a preview for each",
        key: given[1].0)
    }
    if !address.isEmpty, PageAddress(address) == nil {
      return NodeError(
        "`\(address)` is no address to show a preview at",
        remedy: "write it as 127.0.0.1:8080, or :8080 for all that reach this machine",
        key: "address")
    }
    guard !path.isEmpty, StillImage(path: path) == nil else { return nil }
    return NodeError(
      "`\(path)` names no kind of picture", remedy: "end it in .png, .jpg or .webp", key: "path")
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    if window, environment.devices(.screen).isEmpty {
      throw NodeError(
        "there is no display for a window", remedy: "set DISPLAY, or give a `path`", key: "window")
    }
    guard let kind else { return [] }
    if let page = PageAddress(address) { try page.check() }
    // What an earlier run has shown is there to be replaced.
    if !path.isEmpty { try OutputFile(path, replaces: true).check(in: environment) }
    guard environment.isInstalled(kind.element) else {
      throw NodeError(
        "the GStreamer element `\(kind.element.factory)` isn't installed",
        remedy: "install \(kind.debianPackage)", key: path.isEmpty ? "address" : "path")
    }
    return []
  }

  /// What pictures are made; `nil` where frames are shown as they are.
  private var kind: StillImage? { address.isEmpty ? StillImage(path: path) : .jpeg }

  // MARK: A file, or browsers

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard scaler == nil, let kind else { return }
    scaler = FrameScaler(kind.pixelFormat, width: width, height: height, copies: true)
    limiter = FrameLimiter(frameRate: maxFrameRate ?? (address.isEmpty ? 2 : 10))
    guard let page = PageAddress(address) else { return }
    do { server = try page.serve(kind) } catch { warn(error, outputs) }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    // Where the port was taken meanwhile, nothing shows it.
    guard address.isEmpty || server != nil else { return }
    let time = sample.presentationTime
    guard limiter.takes(time), server?.isWatched != false || unwatched.takes(time) else {
      latest = HeldFrame(sample)
      return
    }
    latest = nil
    show(sample, warning: outputs)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if let latest { show(latest.sample, warning: outputs) }
    (latest, server) = (nil, nil)
  }

  private mutating func show(_ sample: borrowing SampleBuffer, warning outputs: NodeOutputs) {
    guard let kind, let scaler else { return }
    do throws(NodeError) {
      let picture = try kind.bytes(of: scaler.frame(of: sample))
      server?.show(picture)
      guard !path.isEmpty else { return }
      var file = try WholeFile(path)
      try file.write(picture)
      try file.complete()
    } catch { warn(error, outputs) }
  }

  /// What is recorded beside it is more important.
  private mutating func warn(_ error: NodeError, _ outputs: NodeOutputs) {
    if !hasWarned { outputs.warn(error.description) }
    hasWarned = true
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
