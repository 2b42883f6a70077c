import GraphKit

/// Turns sound upside down.
public struct Polarity: AudioEffect {
  /// Whether the sound is turned.
  public var inverted = true

  /// An effect that turns the sound.
  public init() {}

  public static let declaration = NodeDeclaration<Polarity>(
    "polarity", role: .effect, help: "Turns sound upside down.",
    example: "microphone -> polarity -> encoder",
    parameters: [.bool("inverted", \.inverted, live: true, help: "Whether the sound is turned.")])

  public static let ports = EffectPorts<Audio>(.audio([.f32]))

  public mutating func process(_ block: inout AudioBlock) throws {
    guard inverted else { return }
    var samples = block.samples(as: Float.self)
    for index in samples.indices {
      samples[index] = samples[index].isFinite ? -samples[index] : 0
    }
  }
}
