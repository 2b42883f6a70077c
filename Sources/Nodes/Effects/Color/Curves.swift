import GraphKit

/// Tone curves through points, for all channels and for each.
public struct Curves: PointEffect {
  /// The curve of all channels, done after their own.
  public var master: [CurvePoint] = [] { didSet { masterCurve = MonotoneCurve(master) } }
  /// The curve of red.
  public var red: [CurvePoint] = [] { didSet { redCurve = MonotoneCurve(red) } }
  /// The curve of green.
  public var green: [CurvePoint] = [] { didSet { greenCurve = MonotoneCurve(green) } }
  /// The curve of blue.
  public var blue: [CurvePoint] = [] { didSet { blueCurve = MonotoneCurve(blue) } }
  private var masterCurve = MonotoneCurve([])
  private var redCurve = MonotoneCurve([])
  private var greenCurve = MonotoneCurve([])
  private var blueCurve = MonotoneCurve([])

  /// Straight curves.
  public init() {}

  private static let mostPoints = 64

  public static let declaration = NodeDeclaration<Curves>(
    "curves", role: .effect, help: "Changes tones by smooth curves through points.",
    example: "camera -> curves -> encoder",
    parameters: [
      .list(
        "master", \.master, limit: mostPoints, live: true,
        help: "Points [from, to] of the curve of all channels, each 0 to 1, in order."),
      .list(
        "red", \.red, limit: mostPoints, live: true, help: "Points of red's curve, done before."),
      .list("green", \.green, limit: mostPoints, live: true, help: "Points of green's curve."),
      .list("blue", \.blue, limit: mostPoints, live: true, help: "Points of blue's curve."),
    ])

  public var problem: NodeError? {
    for (name, points) in [("master", master), ("red", red), ("green", green), ("blue", blue)] {
      if points.count == 1 {
        return NodeError("one point makes no curve", remedy: "give two or more", key: name)
      }
      if !zip(points, points.dropFirst()).allSatisfy({ $0.input < $1.input }) {
        return NodeError(
          "the points of the curve are out of order",
          remedy: "let their first numbers rise from point to point", key: name)
      }
    }
    return nil
  }

  public func color(_ color: RGB) -> RGB {
    RGB(
      value(color.x, redCurve), value(color.y, greenCurve), value(color.z, blueCurve))
  }

  private func value(_ value: Float, _ curve: MonotoneCurve) -> Float {
    guard !(curve.isStraight && masterCurve.isStraight) else { return value }
    return Float(masterCurve(curve(Double(value))))
  }
}
