import GraphKit

/// Few steps in place of smooth tones: each channel to the nearest of `levels` values.
public struct Posterize: PointEffect {
  /// How many values a channel has, black and white among them.
  public var levels = 6

  /// Six values a channel.
  public init() {}

  /// Some values a channel.
  public init(levels: Int) { self.levels = levels }

  public static let declaration = NodeDeclaration<Posterize>(
    "posterize", role: .effect, help: "Leaves only a few values of each channel.",
    phrase: "posterized",
    example: "camera -> posterize -> encoder",
    parameters: [
      .integer(
        "levels", \.levels, in: 2...256, live: true,
        help: "How many values a channel has, black and white among them.")
    ])

  public func color(_ color: RGB) -> RGB {
    let steps = Float(levels - 1)
    return (color.limited * steps).rounded(.toNearestOrAwayFromZero) / steps
  }
}
