import GraphKit

/// Writes video as an animated GIF.
///
/// Each image has colours of its own, and is only what differs from the one before. GStreamer has no
/// element that writes GIF in Debian 12, so this one is written in Swift.
public struct GIFSink: ElementNode, FileSink {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// How often it is shown; 0 for ever.
  public var plays = 0
  /// How many colours an image has, at most.
  public var colors = 256
  /// Whether colours between those of an image are made of pixels beside each other.
  public var dither = true

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<GIFSink>(
    "gifSink", role: .sink, help: "Writes video as an animated GIF.",
    phrase: "written to {path} as an animation",
    example: "video -> gifSink",
    parameters: [
      .path("path", \.path, help: "The file to write: .gif."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .integer("plays", \.plays, in: 0...65_535, help: "How often it is shown; 0 for ever."),
      .integer(
        "colors", \.colors, in: 4...256,
        help: "Colours of an image, at most; fewer make a smaller file."),
      .bool(
        "dither", \.dither,
        help: "Whether colours that are missing are mixed of pixels; without, the file is smaller."),
    ])

  public static let ports = SinkPorts<Video>(.video([.rgba]), help: "What is to be shown.")

  public var problem: NodeError? {
    // A path that isn't given yet is reported by another rule.
    guard !path.isEmpty, !path.lowercased().hasSuffix(".gif") else { return nil }
    return NodeError("`\(path)` is not named as a GIF", remedy: "end it in .gif", key: "path")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    let format = formats["in"]
    if let rate = format?.frameRate, rate > Rational(50) {
      return NodeError(
        "\(rate) frames a second enter, and players of GIF show 50 at most",
        remedy: "put a `videoConvert` before it with a `frameRate` of 25 or less")
    }
    return .size(of: format, within: 1...65_535)
  }

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain([], inputs: [:], outputs: [:])
    var output = GIFOutput(file: file.asked(of: environment))
    (output.plays, output.colorCount, output.dithers) = (plays, colors, dither)
    chain.output = output
    return [chain]
  }
}
