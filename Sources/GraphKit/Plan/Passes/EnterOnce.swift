/// Has a program's samples enter over one wire where they go to several nodes: a program waits for one
/// wire to be ready, and hands each sample over once. What follows parts them, as it does any node's.
public struct EnterOnce: PlanPass {
  /// What a listing calls the pass.
  public let name = "enter once"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    var names = FreeNames(taken: Set(plan.nodes.map(\.name)))
    for node in plan.nodes where node.isEntry && plan.outputs(of: node.name).count > 1 {
      guard let port = node.ports.first(where: { $0.direction == .output }) else { continue }
      result.enter(node.name, by: port, names.take("enter:\(node.name)"))
    }
    return result
  }
}

extension Plan {
  /// Puts a node that hands everything on between an entry and what follows that.
  fileprivate mutating func enter(_ entry: String, by port: PortDeclaration, _ name: String) {
    let format = port.format
    let fork = ElidedNode([
      PortDeclaration("in", .input, format, help: "What the program appends."),
      PortDeclaration("out", .output, format, follows: "in", help: "The same."),
    ])
    let node = PlanNode(ElidedNode.self, fork, name: name)
    nodes.append(node)
    for index in wires.indices where wires[index].from.node == entry {
      wires[index].from = PortReference(name, "out")
    }
    wires.append(
      PlanWire(
        from: PortReference(entry, port.name), to: PortReference(name, "in"), format: format,
        lowering: .link))
  }

  /// What a wire's samples enter by, where they come from a program as they are.
  func entry(of wire: PlanWire) -> (any EntryNode)? {
    guard let node = self[wire.from.node] else { return nil }
    guard node.partsEntry, let before = inputs(of: node.name).first else {
      return node.node.work.entryNode
    }
    return entry(of: before)
  }
}

extension PlanNode {
  /// Whether the node parts what enters by one wire.
  var partsEntry: Bool { node is ElidedNode && type.name == ElidedNode.declaration.name }
}
