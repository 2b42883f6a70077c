import GraphKit

/// Inverts the colours of frames.
struct Invert: VideoEffect {
  /// How much of the negative is mixed in, from 0 to 1.
  var amount = 1.0

  static let declaration = NodeDeclaration<Invert>(
    "negative", role: .effect, help: "Inverts the colours of frames.",
    example: "camera -> negative -> encoder",
    parameters: [.number("amount", \.amount, in: 0...1, help: "How much of the negative shows.")])

  static let ports = EffectPorts<Video>(.video([.bgra]))

  mutating func process(_ frame: inout VideoFrame) throws {
    let mix = Int(amount * 256)
    let (width, height) = (frame.width, frame.height)
    let stride = frame.bytesPerRow(ofPlane: 0)
    var pixels = frame.plane(0)
    for row in 0..<height {
      for offset in 0..<width * 4 where offset & 3 != 3 {
        let value = Int(pixels[row * stride + offset])
        pixels[row * stride + offset] = UInt8((value * (256 - mix) + (255 - value) * mix) >> 8)
      }
    }
  }
}

/// What a host calls once it has loaded the library.
@_cdecl("graphkit_plugin_1")
public func graphkitPlugin() { Plugin.register(Invert.self) }
