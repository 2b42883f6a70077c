/// Hands on what it gets: what stays of a node whose work is done elsewhere, or not needed.
struct ElidedNode: SwiftNode {
  let portDeclarations: [PortDeclaration]

  init() { portDeclarations = Self.ports.declarations }

  init(_ ports: [PortDeclaration]) { portDeclarations = ports }

  static let declaration = NodeDeclaration<ElidedNode>(
    "elided", role: .general, help: "Hands on what it gets.", example: "")

  static let ports = EffectPorts<AnyMedia>()

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try outputs.send(sample)
  }
}
