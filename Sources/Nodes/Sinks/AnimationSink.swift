import GraphKit

/// Writes video as an animated WebP or PNG, for pages.
///
/// GStreamer's elements encode each frame as an image; what puts those into one file is written in
/// Swift, as Debian 12 has no element for it.
public struct AnimationSink: ElementNode {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// How often it is shown; 0 for ever.
  public var plays = 0
  /// How good the images of a WebP are: 100 for exact ones.
  public var quality = 80

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<AnimationSink>(
    "animationSink", role: .sink, help: "Writes video as an animated WebP or PNG.",
    phrase: "written to {path} as an animation",
    example: "video -> animationSink",
    parameters: [
      .path("path", \.path, help: "The file to write: .webp, .png or .apng."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .integer("plays", \.plays, in: 0...65_535, help: "How often it is shown; 0 for ever."),
      .integer(
        "quality", \.quality, in: 1...100,
        help: "How good the images of a WebP are; at 100 they are exact, as those of a PNG are."),
    ])

  public static let ports = SinkPorts<Video>(
    .video([.rgba, .i420, .nv12, .bgra, .yuy2]), help: "What is to be shown.")

  /// The kinds of files, by the ends of their names.
  private enum Kind: String {
    case webp, png, apng

    var mostPixels: Int { self == .webp ? 16_383 : 65_535 }
  }

  private var kind: Kind? {
    path.split(separator: ".").last.flatMap { Kind(rawValue: $0.lowercased()) }
  }

  public var problem: NodeError? {
    // A path that isn't given yet is reported by another rule.
    guard !path.isEmpty, kind == nil else { return nil }
    return NodeError(
      "`\(path)` is not named as an animation",
      remedy: "end it in .webp, .png or .apng; a .gif is written by `gifSink`", key: "path")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    kind.flatMap { .size(of: formats["in"], within: 1...$0.mostPixels) }
  }

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try OutputFile(path, replaces: overwrite).check(in: environment)
    return []
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain([], inputs: [:], outputs: [:])
    let file = OutputFile(path, replaces: overwrite).asked(of: environment)
    chain.output = AnimationOutput(
      place: file, mediaType: kind == .webp ? "image/webp" : "image/png", plays: plays)
    let pixels = formats["in"]?.pixelFormats.first ?? .rgba
    let hasAlpha = pixels == .rgba || pixels == .bgra
    chain.inputElements["in"] = [
      ElementSpec("videoconvert", plugin: "videoconvertscale"),
      ElementSpec(
        "capsfilter", plugin: "coreelements",
        ["caps": "video/x-raw, format=(string)\(hasAlpha ? "RGBA" : "RGB")"]),
      encoder,
    ]
    return [chain]
  }

  private var encoder: ElementSpec {
    guard kind == .webp else { return ElementSpec("pngenc", plugin: "png") }
    return ElementSpec(
      "webpenc", plugin: "webp",
      quality == 100 ? ["lossless": "true"] : ["quality": "\(quality)"])
  }
}
