/// An affine map from colour to colour: a matrix of three rows, and an offset.
public struct ColorTransform: Hashable, Sendable {
  /// What gives the first value of the result, for a colour's three values.
  public var first: SIMD3<Double>
  /// What gives the second value.
  public var second: SIMD3<Double>
  /// What gives the third value.
  public var third: SIMD3<Double>
  /// What is added to the three values in the end.
  public var offset: SIMD3<Double>

  /// A map: `before` is added to the colour, the rows are applied, and `after` is added.
  public init(
    rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>), before: SIMD3<Double> = .zero,
    after: SIMD3<Double> = .zero
  ) {
    (first, second, third) = rows
    offset = .zero
    offset = self(before) + after
  }

  /// The map that changes nothing.
  public static let identity = ColorTransform(
    rows: (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)))

  /// The colour that another one becomes. It isn't rounded, and may lie outside of 0...255.
  public func callAsFunction(_ color: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((first * color).sum(), (second * color).sum(), (third * color).sum()) + offset
  }

  /// The map that does this one and then another one.
  public func then(_ next: ColorTransform) -> ColorTransform {
    func column(_ unit: SIMD3<Double>) -> SIMD3<Double> { next(self(unit)) - next(offset) }
    let columns = (column(SIMD3(1, 0, 0)), column(SIMD3(0, 1, 0)), column(SIMD3(0, 0, 1)))
    func row(_ index: Int) -> SIMD3<Double> {
      SIMD3(columns.0[index], columns.1[index], columns.2[index])
    }
    return ColorTransform(rows: (row(0), row(1), row(2)), after: next(offset))
  }
}
