import GraphKit

/// Mixes the channels: red, green and blue as weighted sums of all three.
public struct ColorMatrix: PointEffect {
  /// What red becomes: the weights of red, green and blue, and what is added, from -1 to 1.
  public var red = [1.0, 0, 0, 0]
  /// What green becomes.
  public var green = [0, 1.0, 0, 0]
  /// What blue becomes.
  public var blue = [0, 0, 1.0, 0]

  /// A matrix that changes nothing.
  public init() {}

  public static let declaration = NodeDeclaration<ColorMatrix>(
    "colorMatrix", role: .effect, help: "Makes each channel a weighted sum of all three.",
    example: "camera -> colorMatrix -> encoder",
    parameters: [
      .numbers(
        "red", \.red, in: -16...16, limit: 4, live: true,
        help: "Weights of red, green and blue in red, and what is added (1 is white)."),
      .numbers(
        "green", \.green, in: -16...16, limit: 4, live: true,
        help: "The same for green."),
      .numbers(
        "blue", \.blue, in: -16...16, limit: 4, live: true,
        help: "The same for blue."),
    ])

  public var problem: NodeError? {
    for (name, row) in [("red", red), ("green", green), ("blue", blue)]
    where !(3...4).contains(row.count) {
      return NodeError(
        "a row of the matrix has \(row.count) numbers",
        remedy: "give three weights, and a fourth number to add where you want one", key: name)
    }
    return nil
  }

  public func color(_ color: RGB) -> RGB {
    RGB(sum(red, color), sum(green, color), sum(blue, color))
  }

  private func sum(_ row: [Double], _ color: RGB) -> Float {
    guard row.count >= 3 else { return 0 }
    let weights = RGB(Float(row[0]), Float(row[1]), Float(row[2]))
    return (weights * color).sum() + (row.count > 3 ? Float(row[3]) : 0)
  }
}
