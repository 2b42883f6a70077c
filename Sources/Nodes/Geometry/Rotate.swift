import GraphKit

/// Turns frames by quarters.
public struct Rotate: TurningNode {
  /// By how much, clockwise, in degrees: 0, 90, 180 or 270.
  public var degrees = 90
  var turner = FrameTurner()

  /// A quarter clockwise.
  public init() {}

  public static let declaration = NodeDeclaration<Rotate>(
    "rotate", role: .effect, help: "Rotates frames by quarter turns.",
    phrase: "rotated",
    example: "camera -> rotate -> encoder",
    parameters: [
      .integer(
        "degrees", \.degrees, in: 0...270, unit: "°", help: "0, 90, 180 or 270, clockwise.")
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true, isFramewise: true) }

  public var problem: NodeError? {
    guard degrees % 90 != 0 else { return nil }
    return NodeError(
      "frames can't be rotated by \(degrees)°", remedy: "give 0, 90, 180 or 270", key: "degrees")
  }

  var orientation: FrameOrientation {
    switch degrees {
    case 90: .clockwise
    case 180: .upsideDown
    case 270: .counterclockwise
    default: .none
    }
  }

  public func reshaped(_ entering: FormatConstraint) -> FormatConstraint? {
    entering.turned(orientation)
  }
}
