/// Has decoders hand on what is raw already, so that one graph suits a file whatever is in it.
public struct PassRawMedia: PlanPass {
  /// What a listing calls the pass.
  public let name = "pass raw media"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    guard plan.nodes.contains(where: { $0.type.role == .decoder }) else { return plan }
    let (topology, flow) = (try plan.topology(), FormatFlow(plan))
    var result = plan
    for index in topology.order where plan.nodes[index].type.role == .decoder {
      guard let wire = topology.incoming[index].first,
        let elided = ElidedNode(plan.nodes[index], arriving: flow.formats[wire].kind)
      else { continue }
      result.nodes[index].node = elided
      result.nodes[index].ports = elided.portDeclarations
    }
    return result
  }
}

extension ElidedNode {
  /// What hands on the media that a decoder would make; `nil` where it gets something else.
  fileprivate init?(_ decoder: PlanNode, arriving kind: MediaKind) {
    guard let input = decoder.ports.first(where: { $0.direction == .input }),
      let output = decoder.ports.first(where: { $0.direction == .output }),
      kind == .audio || kind == .video, output.format.kind == kind
    else { return nil }
    let format = FormatConstraint(kind)
    self.init([
      PortDeclaration(input.name, .input, format, help: "Raw media."),
      PortDeclaration(output.name, .output, format, follows: input.name, help: "The same."),
    ])
  }
}
