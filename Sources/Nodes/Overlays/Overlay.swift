import GraphKit

/// Lays a picture with alpha over frames: a logo, a frame, a title that was drawn elsewhere.
///
/// Only the pixels under the picture are touched, in the frames' own layout and encoding. Frames
/// count as opaque: where they have alpha, it is raised by that of the picture.
public struct Overlay: VideoEffect, PlacedPicture {
  /// The file: PNG, JPEG, WebP or SVG.
  public var path = ""
  /// The picture's horizontal position in the space that it leaves, from left (0) to right (1).
  public var x: Double {
    get { placement.x }
    set { placement.x = newValue }
  }
  /// The picture's vertical position in the space that it leaves, from the top (0) to the bottom
  /// (1).
  public var y: Double {
    get { placement.y }
    set { placement.y = newValue }
  }
  /// Pixels that are added to the right.
  public var offsetX: Int {
    get { placement.offsetX }
    set { placement.offsetX = newValue }
  }
  /// Pixels that are added down.
  public var offsetY: Int {
    get { placement.offsetY }
    set { placement.offsetY = newValue }
  }
  /// How much of the picture shows, 0...1.
  public var opacity = 1.0
  /// How large the picture is, against its own size.
  public var scale = 1.0

  private var placement = Placement()
  private var picture: Picture?
  private var layer = KeptLayer()

  /// An overlay whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<Overlay>(
    "overlay", role: .effect, help: "Lays a picture with alpha over frames.",
    phrase: "overlaid with a picture",
    example: "camera -> overlay -> encoder",
    parameters: [
      .path("path", \.path, help: "The picture: a PNG, JPEG, WebP or SVG file.")
    ] + place)

  public static let ports = EffectPorts<Video>(.video(PixelFormat.composable))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    picture = try loaded()
    return []
  }

  private func loaded() throws(NodeError) -> Picture {
    try PictureFile.picture(path).scaled(by: scale)
  }

  public mutating func prepare(_ format: VideoFormat) throws {
    try format.checkComposable(by: "overlay")
    if picture == nil { picture = try loaded() }
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard let picture else { return }
    try layer.draw(picture, at: placement, opacity: opacity, on: &frame)
  }
}
