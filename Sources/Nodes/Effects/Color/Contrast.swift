import GraphKit

/// More or less difference between dark and light: `(v - 1/2) amount + 1/2 + brightness`.
public struct Contrast: PointEffect {
  /// 1 leaves the frame as it is, 0 makes it all gray.
  public var amount = 1.0
  /// What is added in the end, from black to white.
  public var brightness = 0.0

  /// No change.
  public init() {}

  /// Some contrast.
  public init(amount: Double, brightness: Double = 0) {
    self.amount = amount
    self.brightness = brightness
  }

  public static let declaration = NodeDeclaration<Contrast>(
    "contrast", role: .effect, help: "Changes the contrast and brightness of frames.",
    phrase: "changed in contrast",
    example: "camera -> contrast -> encoder",
    parameters: [
      .number(
        "amount", \.amount, in: 0...8, live: true,
        help: "1 leaves the frame as it is, 0 makes it all gray."),
      .number(
        "brightness", \.brightness, in: -1...1, live: true,
        help: "What is added; 1 makes black white."),
    ])

  public func color(_ color: RGB) -> RGB {
    (color - 0.5) * Float(amount) + Float(0.5 + brightness)
  }
}
