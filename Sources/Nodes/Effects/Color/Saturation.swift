import GraphKit

/// More or less colour: what makes a colour differ from gray of its luma (BT.709) is multiplied.
public struct Saturation: PointEffect {
  /// 1 leaves the frame as it is, 0 makes it gray.
  public var amount = 1.0

  /// No change.
  public init() {}

  /// Some saturation.
  public init(amount: Double) { self.amount = amount }

  public static let declaration = NodeDeclaration<Saturation>(
    "saturation", role: .effect, help: "Makes the colours of frames stronger or weaker.",
    phrase: "changed in saturation",
    example: "camera -> saturation -> encoder",
    parameters: [
      .number(
        "amount", \.amount, in: 0...8, live: true,
        help: "1 leaves the frame as it is, 0 makes it gray.")
    ])

  public func color(_ color: RGB) -> RGB { color.saturated(Float(amount)) }
}
