import GraphKit

/// Mirrors frames horizontally or vertically.
public struct Mirror: TurningNode {
  /// What is exchanged with what.
  public enum Direction: String, CaseIterable, Sendable {
    /// Left and right.
    case horizontal
    /// Top and bottom.
    case vertical
    /// Both: a half turn.
    case both
  }

  /// What is exchanged with what.
  public var direction = Direction.horizontal
  var turner = FrameTurner()

  /// A mirror that exchanges left and right.
  public init() {}

  public static let declaration = NodeDeclaration<Mirror>(
    "mirror", role: .effect, help: "Mirrors frames horizontally or vertically.",
    phrase: "mirrored",
    example: "camera -> mirror -> preview",
    parameters: [
      .choice(
        "direction", \.direction,
        help: "Exchanges left and right (horizontal), top and bottom (vertical), or both.")
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true, isFramewise: true) }

  var orientation: FrameOrientation {
    FrameOrientation(
      reversesColumns: direction != .vertical, reversesRows: direction != .horizontal)
  }
}
