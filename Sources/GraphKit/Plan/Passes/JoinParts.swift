/// Has a range of a file's stream that is copied be put together of parts, where its source says so
/// (``Node/parts(of:)``): a sink that takes ranges as they are gets them from the node that joins them.
public struct JoinParts: PlanPass {
  /// What a listing calls the pass.
  public let name = "join parts"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    for (index, wire) in plan.wires.enumerated() {
      guard let source = plan[wire.from.node], wire.format.kind == .encodedVideo,
        plan[wire.to.node]?.node.traits.copiesRanges == true,
        let parts = source.node.parts(of: wire.from.port)
      else { continue }
      result.wires[index].from = result.add(parts, named: "parts:\(wire.from.node)-\(wire.to.node)")
    }
    return result
  }
}

extension Plan {
  /// Adds the nodes of parts and their wires; returns the output that gives the whole.
  fileprivate mutating func add(_ parts: StreamParts, named name: String) -> PortReference {
    let joint = PlanNode(inserting: parts.joint, name: name)
    let inputs = joint.ports.filter { $0.direction == .input }
    nodes.append(joint)
    for (number, (row, input)) in zip(parts.rows, inputs).enumerated() {
      let end = add(row, named: "\(name):\(number + 1)")
      connect(end, to: PortReference(name, input.name))
    }
    return PortReference(name, joint.ports.first { $0.direction == .output }?.name ?? "out")
  }

  private mutating func add(_ row: StreamParts.Row, named name: String) -> PortReference {
    var end = PortReference(name, row.output)
    for (number, node) in row.nodes.enumerated() {
      let added = PlanNode(inserting: node, name: number == 0 ? name : "\(name):\(number)")
      nodes.append(added)
      guard number > 0 else { continue }
      func port(_ direction: PortDirection) -> String {
        added.ports.first { $0.direction == direction }?.name ?? ""
      }
      connect(end, to: PortReference(added.name, port(.input)))
      end = PortReference(added.name, port(.output))
    }
    return end
  }

  private mutating func connect(_ output: PortReference, to input: PortReference) {
    let format = self[output.node]?.port(output.port, .output)?.format
    wires.append(
      PlanWire(
        from: output, to: input, format: format ?? FormatConstraint(.any), lowering: .link))
  }
}

extension PlanNode {
  fileprivate init<N: Node>(inserting node: N, name: String) {
    self.init(N.self, node, name: name)
  }
}
