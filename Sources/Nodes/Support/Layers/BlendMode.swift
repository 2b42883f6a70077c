/// How the colour of a picture and that of what is below it make one, after W3C's Compositing and
/// Blending Level 1, section 10; `add` is its `plus-lighter`.
///
/// A mode is a function of red, green and blue by themselves, as they are stored: with their transfer
/// curve, as browsers and editors have it.
enum BlendMode: String, CaseIterable, Sendable {
  case normal, multiply, screen, overlay, darken, lighten, add, difference, exclusion
  case hardLight, softLight, colorDodge, colorBurn

  /// The colour that is made of one below and one above, in 0...1.
  @inline(__always)
  func callAsFunction(_ below: SIMD4<Float>, _ above: SIMD4<Float>) -> SIMD4<Float> {
    let one = SIMD4<Float>(repeating: 1)
    switch self {
    case .normal: return above
    case .multiply: return below * above
    case .screen: return below + above - below * above
    case .overlay: return Self.hardLight(above, below)
    case .darken: return pointwiseMin(below, above)
    case .lighten: return pointwiseMax(below, above)
    case .add: return pointwiseMin(below + above, one)
    case .difference: return pointwiseMax(below, above) - pointwiseMin(below, above)
    case .exclusion: return below + above - 2 * below * above
    case .hardLight: return Self.hardLight(below, above)
    case .softLight: return Self.each(below, above, Self.softLight)
    case .colorDodge: return Self.each(below, above, Self.dodge)
    case .colorBurn: return one - Self.each(one - below, one - above, Self.dodge)
    }
  }

  private static func hardLight(_ below: SIMD4<Float>, _ above: SIMD4<Float>) -> SIMD4<Float> {
    let doubled = 2 * above
    let light = doubled - 1
    let screened = below + light - below * light
    return screened.replacing(with: below * doubled, where: above .<= 0.5)
  }

  private static func each(
    _ below: SIMD4<Float>, _ above: SIMD4<Float>, _ mix: (Float, Float) -> Float
  ) -> SIMD4<Float> {
    SIMD4(mix(below.x, above.x), mix(below.y, above.y), mix(below.z, above.z), 1)
  }

  private static func softLight(_ below: Float, _ above: Float) -> Float {
    guard above > 0.5 else { return below - (1 - 2 * above) * below * (1 - below) }
    let curve = below <= 0.25 ? ((16 * below - 12) * below + 4) * below : below.squareRoot()
    return below + (2 * above - 1) * (curve - below)
  }

  private static func dodge(_ below: Float, _ above: Float) -> Float {
    if below <= 0 { return 0 }
    return above >= 1 ? 1 : min(1, below / (1 - above))
  }
}
