import GraphKit

/// Writes video as an animated WebP or PNG, for pages.
///
/// GStreamer's elements encode each frame as an image; what puts those into one file is written in
/// Swift, as Debian 12 has no element for it.
public struct AnimationSink: ElementNode, FileSink {
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

  /// What its images are; `nil` where the file's name doesn't say.
  private var image: StillImage? {
    if path.lowercased().hasSuffix(".apng") { return .png }
    return StillImage(path: path).flatMap { $0 == .jpeg ? nil : $0 }
  }

  public var problem: NodeError? {
    // A path that isn't given yet is reported by another rule.
    guard !path.isEmpty, image == nil else { return nil }
    return NodeError(
      "`\(path)` is not named as an animation",
      remedy: "end it in .webp, .png or .apng; a .gif is written by `gifSink`", key: "path")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    image.flatMap { .size(of: formats["in"], within: $0.sides) }
  }

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain([], inputs: [:], outputs: [:])
    guard let image else { return [chain] }
    chain.output = AnimationOutput(
      place: file.asked(of: environment), image: image,
      plays: plays)
    chain.inputElements["in"] = image.encoders(
      of: formats["in"]?.pixelFormats.first ?? .rgba, quality: quality)
    return [chain]
  }
}
