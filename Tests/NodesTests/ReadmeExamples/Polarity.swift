import GraphKit

/// Inverts the polarity of audio.
public struct Polarity: AudioEffect {
  /// Whether the polarity is inverted.
  public var inverted = true

  /// An effect that inverts the polarity.
  public init() {}

  public static let declaration = NodeDeclaration<Polarity>(
    "polarity", role: .effect, help: "Inverts the polarity of audio.",
    example: "microphone -> polarity -> encoder",
    parameters: [.bool("inverted", \.inverted, live: true, help: "Inverts the signal.")])

  public static let ports = EffectPorts<Audio>(.audio([.f32]))

  public mutating func process(_ block: inout AudioBlock) throws {
    guard inverted else { return }
    var samples = block.samples(as: Float.self)
    for index in samples.indices {
      samples[index] = samples[index].isFinite ? -samples[index] : 0
    }
  }
}
