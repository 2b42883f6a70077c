import GraphKit

/// A point of a curve: what a value becomes, both from 0 to 1.
public struct CurvePoint: ListItem {
  /// The value.
  public var input: Double
  /// What it becomes.
  public var output: Double

  /// A point.
  public init(_ input: Double, _ output: Double) {
    self.input = input
    self.output = output
  }

  public static let kind = ParameterKind.tuple(.number(0...1), count: 2)

  public init?(json: JSONValue) {
    guard case .array(let values) = json, values.count == 2, case .number(let input) = values[0],
      case .number(let output) = values[1]
    else { return nil }
    self.init(input, output)
  }

  public var json: JSONValue { .array([.number(input), .number(output)]) }
}

/// A smooth curve through points that never swings beyond them: cubic pieces with the slopes of
/// Fritsch and Butland ("A Method for Constructing Local Monotone Piecewise Cubic Interpolants",
/// 1984). Level before the first point and after the last.
struct MonotoneCurve: Sendable {
  private let points: [CurvePoint]
  private let slopes: [Double]

  /// The straight curve where there are no points.
  init(_ points: [CurvePoint]) {
    self.points = points
    slopes = Self.slopes(points)
  }

  var isStraight: Bool { points.isEmpty }

  func callAsFunction(_ value: Double) -> Double {
    guard let first = points.first, let last = points.last else { return value }
    guard value > first.input else { return first.output }
    guard value < last.input,
      let right = points.firstIndex(where: { $0.input > value })
    else { return last.output }
    let (a, b) = (points[right - 1], points[right])
    let width = b.input - a.input
    let t = (value - a.input) / width
    let (t2, t3) = (t * t, t * t * t)
    return a.output * (2 * t3 - 3 * t2 + 1) + slopes[right - 1] * width * (t3 - 2 * t2 + t)
      + b.output * (3 * t2 - 2 * t3) + slopes[right] * width * (t3 - t2)
  }

  private static func slopes(_ points: [CurvePoint]) -> [Double] {
    guard points.count > 1 else { return points.map { _ in 0 } }
    let rises = zip(points, points.dropFirst()).map {
      ($1.output - $0.output) / ($1.input - $0.input)
    }
    let inner = zip(rises, rises.dropFirst()).map { before, after in
      before * after > 0 ? 2 * before * after / (before + after) : 0
    }
    return [rises[0]] + inner + [rises[rises.count - 1]]
  }
}
