import GraphKit

/// The negative: each channel as `1 - v`.
public struct Invert: PointEffect {
  /// The strength: 0 leaves the frame as it is, 1 makes the negative.
  public var intensity = 1.0

  /// The negative.
  public init() {}

  public static let declaration = NodeDeclaration<Invert>(
    "invert", role: .effect, help: "Inverts the colours of frames.",
    phrase: "inverted in its colours",
    example: "camera -> invert -> encoder",
    parameters: [
      .number(
        "intensity", \.intensity, in: 0...1, live: true,
        help: "The strength; 0 leaves the frame as it is.")
    ])

  public func color(_ color: RGB) -> RGB { color.mixed(1 - color, Float(intensity)) }
}
