/// Has a source whose file another process reads give each wire what the wire's consumer takes: its
/// packets to a sink of encoded media, and to all else what that process has decoded, so that nothing
/// here decodes what a stranger has made.
public struct ReadApart: PlanPass {
  /// What a listing calls the pass.
  public let name = "read apart"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    for number in plan.nodes.indices where plan.nodes[number].node.traits.isReadApart {
      var outputs = SourceOutputs()
      let name = plan.nodes[number].name
      let leaving = plan.wires.indices.filter { plan.wires[$0].from.node == name }
      // What is decoded keeps the name of the port, where both are to be had.
      let decoded = leaving.filter { plan.takesDecoded(plan.wires[$0]) }
      let copied = leaving.filter { !decoded.contains($0) }
      for wire in decoded {
        result.wires[wire].from.port = outputs.decoded(plan.wires[wire].from.port)
      }
      for wire in copied {
        result.wires[wire].from.port = outputs.copied(plan.wires[wire].from.port)
      }
      guard let node = plan.nodes[number].node.giving(outputs.all) else { continue }
      result.nodes[number].node = node
      result.nodes[number].ports = node.portDeclarations
      for wire in leaving {
        let port = result.nodes[number].port(result.wires[wire].from.port, .output)
        result.wires[wire].format = port?.format ?? plan.wires[wire].format
      }
    }
    return result
  }
}

/// The outputs that wires of one source need.
private struct SourceOutputs {
  private(set) var all: [SourceOutput] = []

  /// The name of what gives a port's stream decoded, which all that take it share.
  mutating func decoded(_ port: String) -> String {
    if let known = all.first(where: { $0.port == port && $0.isDecoded }) { return known.name }
    return add(port, isDecoded: true)
  }

  /// The name of what gives a port's packets to one sink, framed as that takes them.
  mutating func copied(_ port: String) -> String { add(port, isDecoded: false) }

  private mutating func add(_ port: String, isDecoded: Bool) -> String {
    let count = all.count { $0.port == port }
    let name = count == 0 ? port : "\(port):\(count + 1)"
    all.append(SourceOutput(name, of: port, isDecoded: isDecoded))
    return name
  }
}

extension Plan {
  /// Whether a wire of a file that another process reads carries what that has decoded.
  fileprivate func takesDecoded(_ wire: PlanWire) -> Bool {
    guard let target = self[wire.to.node] else { return true }
    return target.type.role == .decoder
      || wire.format.kind.isDecoded(for: target.port(wire.to.port, .input)?.format.kind ?? .any)
  }
}

extension MediaKind {
  /// Whether media of this kind in a file that another process reads is decoded for an input: all but
  /// text and what the input takes encoded.
  func isDecoded(for input: MediaKind) -> Bool { self != .text && !(isEncoded && input.isEncoded) }
}
