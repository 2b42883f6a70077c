import GraphKit

/// Applies a named look, as photo programs do.
///
/// The styles are those of the well-known set. What each does is written below, in a few steps that
/// have their formulas in `Luma.swift`: they use no table and no image.
public struct PhotoFilter: PointEffect {
  /// The looks.
  public enum Style: String, CaseIterable, Sendable {
    /// Black and white, a little soft.
    case mono
    /// Black and white with deep blacks and bright whites.
    case noir
    /// Old film, paled: less colour, blacks that are gray.
    case fade
    /// Old film with strong colours and contrast.
    case chrome
    /// Old film with cool shadows and green in its lights.
    case process
    /// Old film with warm lights.
    case transfer
    /// An instant picture: soft, warm, with shifted shadows.
    case instant
    /// Black and white, by brightness alone.
    case tonal
  }

  /// Which look.
  public var style = Style.mono
  /// The strength of the look; 0 leaves the frame as it is.
  public var intensity = 1.0

  /// A monochrome look.
  public init() {}

  /// A look of a style.
  public init(_ style: Style, intensity: Double = 1) {
    self.style = style
    self.intensity = intensity
  }

  public static let declaration = NodeDeclaration<PhotoFilter>(
    "photoFilter", role: .effect, help: "Applies a named look, as photo programs do.",
    phrase: "given the look {style}",
    example: "camera -> photoFilter -> encoder",
    parameters: [
      .choice("style", \.style, live: true, help: "Which look."),
      .number(
        "intensity", \.intensity, in: 0...1, live: true,
        help: "The strength of the look; 0 leaves the frame as it is."),
    ])

  public func color(_ color: RGB) -> RGB {
    intensity == 0 ? color : color.mixed(look(color), Float(intensity))
  }

  private func look(_ color: RGB) -> RGB {
    switch style {
    case .mono: color.gray.leveled(RGB(repeating: 0.04), RGB(repeating: 0.97))
    case .noir: RGB(repeating: RGB(0.36, 0.53, 0.11).dot(color)).curved(1).curved(0.6)
    case .fade: color.saturated(0.62).leveled(RGB(0.13, 0.12, 0.12), RGB(0.95, 0.95, 0.92))
    case .chrome: color.curved(0.45).saturated(1.3)
    case .process:
      color.saturated(0.85).lifted(RGB(-0.08, 0.12, 0.2))
        .leveled(RGB(0, 0.02, 0.1), RGB(0.95, 1, 0.93))
    case .transfer:
      color.saturated(0.85).lifted(RGB(0.24, 0.06, -0.16))
        .leveled(RGB(0.05, 0.02, 0.02), RGB(1, 0.97, 0.88))
    case .instant:
      color.saturated(0.8).curved(-0.35).lifted(RGB(0.16, 0.08, 0))
        .leveled(RGB(0.08, 0.06, 0.12), RGB(1, 0.97, 0.86))
    case .tonal: color.gray
    }
  }
}

extension RGB {
  fileprivate func dot(_ other: RGB) -> Float { (self * other).sum() }
}
