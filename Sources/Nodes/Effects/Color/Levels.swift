import GraphKit
import Glibc

/// Black, white and the middle between them, set anew, as in the levels of photo programs.
///
/// Each channel: from `inputBlack` to `inputWhite` becomes 0 to 1, to the power of `1 / gamma`, and
/// that becomes `outputBlack` to `outputWhite`.
public struct Levels: PointEffect {
  /// What becomes black.
  public var inputBlack = 0.0
  /// What becomes white.
  public var inputWhite = 1.0
  /// Above 1 makes the middle lighter.
  public var gamma = 1.0
  /// What black becomes.
  public var outputBlack = 0.0
  /// What white becomes.
  public var outputWhite = 1.0

  /// No change.
  public init() {}

  public static let declaration = NodeDeclaration<Levels>(
    "levels", role: .effect, help: "Sets the black point, white point and mid-tones of frames.",
    example: "camera -> levels -> encoder",
    parameters: [
      .number("inputBlack", \.inputBlack, in: 0...1, live: true, help: "What becomes black."),
      .number("inputWhite", \.inputWhite, in: 0...1, live: true, help: "What becomes white."),
      .number(
        "gamma", \.gamma, in: 0.1...10, live: true, help: "Above 1 makes the middle lighter."),
      .number("outputBlack", \.outputBlack, in: 0...1, live: true, help: "What black becomes."),
      .number("outputWhite", \.outputWhite, in: 0...1, live: true, help: "What white becomes."),
    ])

  public var problem: NodeError? {
    guard inputWhite <= inputBlack else { return nil }
    return NodeError(
      "white is not above black", remedy: "give an `inputWhite` above `inputBlack`",
      key: "inputWhite")
  }

  public func color(_ color: RGB) -> RGB {
    if self.isNeutral { return color }
    var value = ((color - Float(inputBlack)) / Float(inputWhite - inputBlack)).limited
    if gamma != 1 {
      let power = Float(1 / gamma)
      value = RGB(powf(value.x, power), powf(value.y, power), powf(value.z, power))
    }
    return value.leveled(RGB(repeating: Float(outputBlack)), RGB(repeating: Float(outputWhite)))
  }

  private var isNeutral: Bool {
    inputBlack == 0 && inputWhite == 1 && gamma == 1 && outputBlack == 0 && outputWhite == 1
  }
}
