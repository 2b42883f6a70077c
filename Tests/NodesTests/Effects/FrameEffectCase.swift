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
    FrameEffectCase({ Crop() }, { .with { $0.aspectRatio = "1:1" } }),
    FrameEffectCase({ Scale() }, { .with { ($0.width, $0.height) = (40, 30) } }),
    FrameEffectCase({ .with { $0.degrees = 0 } }, { Rotate() }),
    FrameEffectCase(
      { .with { $0.radius = 0 } }, { .with { (blur: inout Blur) in blur.radius = 1.7 } }),
    FrameEffectCase(
      { .with { $0.amount = 0 } }, { .with { (node: inout Sharpen) in node.amount = 2 } }),
    FrameEffectCase(
      { .with { $0.size = 1 } }, { .with { (node: inout Pixelate) in node.size = 7 } }),
    FrameEffectCase({ .with { $0.strength = 0 } }, { Vignette() }),
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
