import GraphKit
import Glibc

/// Makes frames lighter or darker as a longer or shorter exposure would.
///
/// Light is multiplied by 2 to the power of `stops`. Values of frames aren't light but about its
/// 2.2nd root, so they are multiplied by 2 to the power of `stops / 2.2`.
public struct Exposure: PointEffect {
  /// Twice the light for each.
  public var stops = 0.0

  /// No change.
  public init() {}

  /// Some stops.
  public init(stops: Double) { self.stops = stops }

  public static let declaration = NodeDeclaration<Exposure>(
    "exposure", role: .effect, help: "Makes frames lighter or darker, as exposure does.",
    phrase: "changed in exposure by {stops}",
    example: "camera -> exposure -> encoder",
    parameters: [
      .number(
        "stops", \.stops, in: -10...10, unit: "stops", live: true,
        help: "Twice the light for each; below 0, half.")
    ])

  public func color(_ color: RGB) -> RGB { color * Float(pow(2, stops / 2.2)) }
}
