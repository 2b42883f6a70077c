import GraphKit
import Nodes

/// An effect on frames, as the questions that all of them answer need it.
struct FrameEffectCase: CustomStringConvertible, Sendable {
  var name: String
  /// What the effect makes of a picture, at settings that change nothing.
  var neutral: @Sendable (RawPicture, _ padding: Int) throws -> RawPicture
  /// The same at settings that change something.
  var active: @Sendable (RawPicture, _ padding: Int) throws -> RawPicture

  var description: String { name }

  private init<N: SwiftNode>(
    _ neutral: @escaping @Sendable () -> N, _ active: @escaping @Sendable () -> N
  ) {
    name = N.declaration.name
    self.neutral = { try neutral().output(of: $0, padding: $1) }
    self.active = { try active().output(of: $0, padding: $1) }
  }

  static let all = [
    FrameEffectCase({ Crop() }, { Crop.with { $0.aspectRatio = "1:1" } }),
    FrameEffectCase({ Scale() }, { Scale.with { ($0.width, $0.height) = (40, 30) } }),
    FrameEffectCase({ Rotate.with { $0.degrees = 0 } }, { Rotate() }),
    FrameEffectCase({ Blur.with { $0.radius = 0 } }, { Blur.with { $0.radius = 1.7 } }),
    FrameEffectCase({ Sharpen.with { $0.amount = 0 } }, { Sharpen.with { $0.amount = 2 } }),
    FrameEffectCase({ Pixelate.with { $0.size = 1 } }, { Pixelate.with { $0.size = 7 } }),
    FrameEffectCase({ Vignette.with { $0.strength = 0 } }, { Vignette() }),
    FrameEffectCase(
      { TextOverlay.with { ($0.text, $0.opacity) = ("a", 0) } },
      { TextOverlay.with { ($0.text, $0.size, $0.margin) = ("M", 12, 0) } }),
    FrameEffectCase({ Particles.with { $0.rate = 0 } }, { Particles.with { $0.rate = 500 } }),
  ]

  static let layouts: [PixelFormat] = [.i420, .nv12, .bgra, .rgba]
}

extension Node {
  /// A node with other settings than those that it begins with.
  static func with(_ change: (inout Self) -> Void) -> Self {
    var node = Self()
    change(&node)
    return node
  }
}
