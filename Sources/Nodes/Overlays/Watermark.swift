import GraphKit

/// Lays a picture over a corner of frames, of a size that suits theirs.
public struct Watermark: VideoEffect {
  /// The corners that there are.
  public enum Corner: String, CaseIterable, Sendable {
    case topLeft, topRight, bottomLeft, bottomRight
  }

  /// The file: PNG, JPEG, WebP or SVG.
  public var path = ""
  /// The corner.
  public var corner = Corner.bottomRight
  /// What is free at both edges, as a part of the frame's shorter side.
  public var margin = 0.03
  /// The picture's width, as a part of the frame's.
  public var size = 0.15
  /// How much of the picture shows, 0...1.
  public var opacity = 0.8

  private var original: Picture?
  private var picture: Picture?
  private var layer = KeptLayer()

  /// A watermark whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<Watermark>(
    "watermark", role: .effect, help: "Lays a picture over a corner, sized by the frame.",
    phrase: "watermarked",
    example: "camera -> watermark -> encoder",
    parameters: [
      .path("path", \.path, help: "The picture: a PNG, JPEG, WebP or SVG file."),
      .choice("corner", \.corner, live: true, help: "Corner of the frame for the picture."),
      .number(
        "margin", \.margin, in: 0...0.5, live: true,
        help: "What is free at both edges, as a part of the frame's shorter side."),
      .number(
        "size", \.size, in: 0.01...1, help: "The picture's width, as a part of the frame's."),
      .number(
        "opacity", \.opacity, in: 0...1, live: true,
        help: "How much of the picture shows: from nothing (0) to all of it (1)."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.composable))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true, isFramewise: true) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    original = try PictureFile.picture(path)
    return []
  }

  public mutating func prepare(_ format: VideoFormat) throws {
    try format.checkComposable(by: "watermark")
    let original = try original ?? PictureFile.picture(path)
    self.original = original
    let width = max(1, size * Double(format.width) * format.pixelShape)
    picture = try original.scaled(by: width / Double(max(1, original.width)))
    // The same numbers may stand for another picture now.
    layer = KeptLayer()
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard let picture else { return }
    let placement = placement(in: frame.format)
    try layer.draw(picture, at: placement, opacity: opacity, on: &frame)
  }

  private func placement(in format: VideoFormat) -> Placement {
    let margin = Int((margin * Double(min(format.width, format.height))).rounded())
    let isRight = corner == .topRight || corner == .bottomRight
    let isLower = corner == .bottomLeft || corner == .bottomRight
    return Placement(
      x: isRight ? 1 : 0, y: isLower ? 1 : 0, offsetX: isRight ? -margin : margin,
      offsetY: isLower ? -margin : margin)
  }
}
