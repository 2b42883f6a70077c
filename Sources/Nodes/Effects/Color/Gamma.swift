import GraphKit
import Glibc

/// Lifts or lowers the middle tones: each channel to the power of `1 / gamma`.
public struct Gamma: PointEffect {
  /// Above 1 lighter, below 1 darker; black and white stay.
  public var gamma = 1.0

  /// No change.
  public init() {}

  /// Some gamma.
  public init(gamma: Double) { self.gamma = gamma }

  public static let declaration = NodeDeclaration<Gamma>(
    "gamma", role: .effect, help: "Makes the mid-tones of frames lighter or darker.",
    example: "camera -> gamma -> encoder",
    parameters: [
      .number(
        "gamma", \.gamma, in: 0.1...10, live: true,
        help: "Above 1 lighter, below 1 darker; black and white stay.")
    ])

  public func color(_ color: RGB) -> RGB {
    guard gamma != 1 else { return color }
    let (value, power) = (color.limited, Float(1 / gamma))
    return RGB(powf(value.x, power), powf(value.y, power), powf(value.z, power))
  }
}
