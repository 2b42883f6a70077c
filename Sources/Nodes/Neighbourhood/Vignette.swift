import GraphKit

/// Darkens frames towards their corners.
///
/// With d the distance from the middle, 1 in the corners, a pixel keeps the fraction
/// 1 - strength * s(radius, radius + softness, d), where s is the smooth step t²(3 - 2t) (The
/// OpenGL Shading Language 4.60, 8.3). Luma goes to black by it and chroma to neutral, so no colour
/// is left where it is dark; red, green and blue go to zero, alpha stays.
public struct Vignette: VideoEffect {
  /// How dark it gets: from nothing at 0 to black at 1.
  public var strength = 0.5 { didSet { shades = [] } }
  /// Where darkening begins, as a part of the way from the middle to the corners.
  public var radius = 0.4 { didSet { shades = [] } }
  /// How long it takes, as a part of the same way.
  public var softness = 0.6 { didSet { shades = [] } }
  private var shades: [PlaneShade] = []

  /// A vignette that is to be seen.
  public init() {}

  public static let declaration = NodeDeclaration<Vignette>(
    "vignette", role: .effect, help: "Darkens frames towards their corners.",
    example: "camera -> vignette -> encoder",
    parameters: [
      .number(
        "strength", \.strength, in: 0...1, live: true,
        help: "How dark it gets: nothing at 0, black at 1."),
      .number(
        "radius", \.radius, in: 0...2, live: true,
        help: "Where it begins, as a part of the way from the middle to the corners."),
      .number(
        "softness", \.softness, in: 0.01...2, live: true,
        help: "How long it takes, as a part of the same way."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits { NodeTraits(isFramewise: true) }

  public mutating func prepare(_ format: VideoFormat) throws {
    guard PixelFormat.planar.contains(format.pixelFormat) else {
      throw NodeError.unknownLayout("vignette", format)
    }
    shades = []
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard strength > 0 else { return }
    if shades.isEmpty {
      shades = (0..<frame.planeCount).map { PlaneShade(self, plane: $0, of: frame.format) }
    }
    for plane in shades.indices { shades[plane].apply(to: plane, of: &frame) }
  }

  /// The part of itself that a pixel loses, at a distance from the middle.
  func loss(at distance: Double) -> Double {
    let t = max(0, min(1, (distance - radius) / softness))
    return strength * t * t * (3 - 2 * t)
  }
}

/// What each byte of a plane loses, in parts of 255; of the upper half of the rows where the lower
/// is the same upside down.
private struct PlaneShade: Sendable {
  private let rows: [[UInt8]]
  /// What the bytes go to: black, or neutral chroma.
  private let ground: UInt8

  init(_ vignette: Vignette, plane index: Int, of format: VideoFormat) {
    let plane = format.plane(index)
    ground = format.ground(ofPlane: index)
    let hasAlpha = plane.bytesPerPixel == 4
    let side = format.pixelFormat.subsampling(ofPlane: index).across
    let (wide, high) = (Double(format.width), Double(format.height))
    let half = (wide * wide + high * high).squareRoot() / 2
    let isMirrored = format.height % side == 0
    rows = (0..<(isMirrored ? (plane.height + 1) / 2 : plane.height)).map { row in
      let dy = Self.middle(row, side, within: format.height) - high / 2
      return (0..<plane.width).flatMap { column -> [UInt8] in
        let dx = Self.middle(column, side, within: format.width) - wide / 2
        let loss = vignette.loss(at: (dx * dx + dy * dy).squareRoot() / half)
        let shade = UInt8((loss * 255).rounded())
        var pixel = Array(repeating: shade, count: plane.bytesPerPixel)
        if hasAlpha { pixel[3] = 0 }
        return pixel
      }
    }
  }

  /// The middle of the pixels that a sample stands for, at the edge of odd sizes one.
  private static func middle(_ index: Int, _ side: Int, within length: Int) -> Double {
    Double(index * side + min((index + 1) * side, length)) / 2
  }

  func apply(to plane: Int, of frame: inout VideoFrame) {
    let (count, stride) = (frame.format.plane(plane).height, frame.bytesPerRow(ofPlane: plane))
    var bytes = frame.plane(plane)
    for row in 0..<count {
      let losses = rows[row < rows.count ? row : count - 1 - row]
      darken(&bytes, from: row * stride, losses.span)
    }
  }

  private func darken(_ bytes: inout MutableSpan<UInt8>, from start: Int, _ losses: Span<UInt8>) {
    let (count, ground) = (losses.count, UInt16(ground))
    guard start >= 0, start + count <= bytes.count else { return }
    for index in 0..<count {
      let loss = UInt16(losses[index])
      let mix = UInt16(bytes[start &+ index]) &* (255 &- loss) &+ ground &* loss &+ 128
      // Division by 255, rounded, without dividing.
      bytes[start &+ index] = UInt8(truncatingIfNeeded: (mix &+ (mix &>> 8)) &>> 8)
    }
  }
}

extension VideoFormat {
  /// What the bytes of a plane are where nothing is to be seen: black, or neutral chroma.
  func ground(ofPlane plane: Int) -> UInt8 {
    guard pixelFormat.subsampling.across == 2 else { return 0 }
    return plane > 0 ? 128 : ColorEncoding(self).range == .full ? 0 : 16
  }
}
