import GraphKit

/// Hands every sample on: what a node costs that does nothing.
public struct Pass: SwiftNode {
  /// A node that hands everything on.
  public init() {}

  public static let declaration = NodeDeclaration<Pass>(
    "pass", role: .effect, help: "Hands every sample on as it is, for tests and measurements.",
    example: "camera -> pass -> encoder")

  public static let ports = EffectPorts<AnyMedia>()

  public var traits: NodeTraits { NodeTraits(isFramewise: true) }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try outputs.send(sample, on: 0)
  }
}
