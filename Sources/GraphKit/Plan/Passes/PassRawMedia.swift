/// Has decoders hand on what is raw already, so that one graph suits a file whatever is in it.
public struct PassRawMedia: PlanPass {
  /// What a listing calls the pass.
  public let name = "pass raw media"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    for index in plan.nodes.indices where plan.nodes[index].type.role == .decoder {
      let node = plan.nodes[index]
      guard let wire = plan.inputs(of: node.name).first,
        let passage = RawPassage(node, arriving: wire.format.kind)
      else { continue }
      result.nodes[index].node = passage
      result.nodes[index].ports = passage.portDeclarations
    }
    return result
  }
}

/// Stands in for a decoder that gets raw media.
struct RawPassage: SwiftNode {
  private var names = (input: "in", output: "out")
  private var kind = MediaKind.any

  init() {}

  /// What hands on the media that a decoder would make; `nil` where it gets something else.
  init?(_ decoder: PlanNode, arriving kind: MediaKind) {
    guard let input = decoder.ports.first(where: { $0.direction == .input }),
      let output = decoder.ports.first(where: { $0.direction == .output }),
      kind == .audio || kind == .video, output.format.kind == kind
    else { return nil }
    self.kind = kind
    names = (input.name, output.name)
  }

  static let declaration = NodeDeclaration<RawPassage>(
    "rawPassage", role: .decoder, help: "Hands on what is raw already.", example: "")

  static let ports = EffectPorts<AnyMedia>()

  var portDeclarations: [PortDeclaration] {
    let format = FormatConstraint(kind)
    return [
      PortDeclaration(names.input, .input, format, help: "Raw media."),
      PortDeclaration(names.output, .output, format, follows: names.input, help: "The same."),
    ]
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try outputs.send(sample)
  }
}
