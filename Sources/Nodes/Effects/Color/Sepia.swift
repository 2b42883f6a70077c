import GraphKit

/// Brown tones, as of old photographs.
///
/// At full intensity the matrix of the W3C's Filter Effects Module (`sepia()`), between that and
/// none a mixture.
public struct Sepia: PointEffect {
  /// The strength; 0 leaves the frame as it is.
  public var intensity = 1.0

  /// Full sepia.
  public init() {}

  /// Some of it.
  public init(intensity: Double) { self.intensity = intensity }

  public static let declaration = NodeDeclaration<Sepia>(
    "sepia", role: .effect, help: "Gives frames the brown tones of old photographs.",
    example: "camera -> sepia -> encoder",
    parameters: [
      .number(
        "intensity", \.intensity, in: 0...1, live: true,
        help: "The strength; 0 leaves the frame as it is.")
    ])

  public func color(_ color: RGB) -> RGB {
    let brown = RGB(
      (color * RGB(0.393, 0.769, 0.189)).sum(), (color * RGB(0.349, 0.686, 0.168)).sum(),
      (color * RGB(0.272, 0.534, 0.131)).sum())
    return color.mixed(brown, Float(intensity))
  }
}
