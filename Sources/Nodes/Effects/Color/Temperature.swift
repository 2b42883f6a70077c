import GraphKit

/// Makes frames warmer or cooler, as white balance does.
///
/// A light of the colour temperature `kelvin` is made to look white, and `tint` moves green against
/// magenta. Red, green and blue are divided by those of that light; luma (BT.709) of white stays.
/// The light is a black body's, by Krystek's approximation of its chromaticity ("An algorithm to
/// calculate correlated colour temperature", 1985), in sRGB. 6500 K changes nothing.
public struct Temperature: PointEffect {
  /// The temperature of the light that looks white then: below 6500 cools warm light, above it
  /// warms cool light.
  public var kelvin = 6500.0
  /// Above 0 towards magenta, below towards green.
  public var tint = 0.0

  /// No change.
  public init() {}

  /// A white point.
  public init(kelvin: Double, tint: Double = 0) {
    self.kelvin = kelvin
    self.tint = tint
  }

  public static let declaration = NodeDeclaration<Temperature>(
    "temperature", role: .effect, help: "Makes frames warmer or cooler.",
    example: "camera -> temperature -> encoder",
    parameters: [
      .number(
        "kelvin", \.kelvin, in: 1000...15_000, unit: "K", live: true,
        help: "The light that is to look white: above 6500 makes frames warmer, below cooler."),
      .number(
        "tint", \.tint, in: -1...1, live: true,
        help: "Above 0 towards magenta, below towards green."),
    ])

  public func color(_ color: RGB) -> RGB { color * gains }

  private var gains: RGB {
    let light = Self.light(kelvin) / Self.light(6500)
    var gains = RGB(1 / Self.encoded(light.x), 1 / Self.encoded(light.y), 1 / Self.encoded(light.z))
    gains.y *= 1 - 0.25 * Float(tint)
    return gains / gains.luma
  }

  /// A value as frames have it, for an amount of light.
  private static func encoded(_ light: Double) -> Float {
    Float(max(light, 1e-4)).squareRoot()
  }

  /// Linear red, green and blue of a black body.
  private static func light(_ kelvin: Double) -> SIMD3<Double> {
    let t = kelvin
    let u =
      (0.860_117_757 + 1.541_182_54e-4 * t + 1.286_412_12e-7 * t * t)
      / (1 + 8.424_202_35e-4 * t + 7.081_451_63e-7 * t * t)
    let v =
      (0.317_398_726 + 4.228_062_45e-5 * t + 4.204_816_91e-8 * t * t)
      / (1 - 2.897_418_16e-5 * t + 1.614_560_53e-7 * t * t)
    // CIE 1960 to xy, to XYZ at Y = 1, to linear sRGB (IEC 61966-2-1).
    let (x, y) = (3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4))
    let xyz = SIMD3(x / y, 1, (1 - x - y) / y)
    return SIMD3(
      (xyz * SIMD3(3.2406, -1.5372, -0.4986)).sum(), (xyz * SIMD3(-0.9689, 1.8758, 0.0415)).sum(),
      (xyz * SIMD3(0.0557, -0.2040, 1.0570)).sum())
  }
}
