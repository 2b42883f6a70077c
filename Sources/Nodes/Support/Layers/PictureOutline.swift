/// The outline of a picture that is placed on another: a rectangle with round corners and a border inside
/// of them.
struct PictureOutline: Hashable, Sendable {
  /// The radius of the corners, at most half of the shorter side.
  let radius: Float
  /// How wide the border is.
  let border: Float
  private let half: SIMD2<Float>

  /// The outline of a picture of `width` by `height` pixels.
  init(width: Int, height: Int, radius: Double, border: Int) {
    half = SIMD2(Float(width), Float(height)) / 2
    self.radius = min(Float(radius), half.x, half.y)
    self.border = min(Float(border), half.x, half.y)
  }

  /// Pixels from each edge after which the picture is as it is.
  var inset: Int { Int(max(radius, border).rounded(.up)) }

  /// How much of a pixel is inside of the outline, and how much of what is inside isn't border.
  @inline(__always)
  func coverage(column: Int, row: Int) -> (outline: Float, picture: Float) {
    let place = SIMD2(Float(column), Float(row)) + 0.5 - half
    let outline = Self.coverage(of: place, half, radius)
    guard border > 0 else { return (outline, 1) }
    return (outline, Self.coverage(of: place, half - border, max(0, radius - border)))
  }

  /// How much of a pixel is in a rectangle around the origin, by its distance to the edge.
  @inline(__always)
  private static func coverage(
    of place: SIMD2<Float>, _ half: SIMD2<Float>, _ radius: Float
  ) -> Float {
    let corner = SIMD2(abs(place.x), abs(place.y)) - half + radius
    let outside = pointwiseMax(corner, .zero)
    let distance =
      (outside * outside).sum().squareRoot() + min(max(corner.x, corner.y), 0) - radius
    return min(max(0.5 - distance, 0), 1)
  }
}
