/// One step of planning: a function from plan to plan.
///
/// A pass may add nodes and wires and may decide more about those that are there. It never
/// takes away a node of the graph, and it gives the same result for the same plan.
public protocol PlanPass: Sendable {
  /// What a listing calls the pass.
  var name: String { get }
  /// The plan with this pass's decisions made.
  func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan
}

/// What a pass may use beyond the plan itself.
public struct PlanContext: Sendable {
  /// The node types that a pass may insert nodes of.
  public var catalog: Catalog

  /// A context.
  public init(catalog: Catalog) { self.catalog = catalog }
}

extension Plan {
  /// The passes that every run needs, in order.
  public static let standardPasses: [any PlanPass] = [Negotiate(), FuseStages(), SizeQueues()]

  /// Plans a graph: its own nodes and wires, then what each pass makes of them.
  public init(
    _ graph: Graph, passes: [any PlanPass] = Plan.standardPasses
  ) throws(PlanError) {
    var plan = Plan(
      nodes: graph.nodes.map(PlanNode.init), wires: graph.wires.map { PlanWire($0, in: graph) })
    let context = PlanContext(catalog: graph.catalog)
    for pass in passes { plan = try pass.apply(to: plan, in: context) }
    self = plan
  }
}

extension PlanNode {
  init(_ node: GraphNode) {
    self.init(
      name: node.name, type: node.type, node: node.node, parameters: node.parameters,
      ports: node.ports, isInserted: false, stage: nil)
  }

  /// A port by name and direction.
  func port(_ name: String, _ direction: PortDirection) -> PortDeclaration? {
    ports.first { $0.name == name && $0.direction == direction }
  }
}

extension PlanWire {
  /// A wire that is known to carry what its output gives, and nothing more.
  init(_ wire: GraphWire, in graph: Graph) {
    let port = graph[wire.from.node]?.ports.first {
      $0.name == wire.from.port && $0.direction == .output
    }
    self.init(
      from: wire.from, to: wire.to, format: port?.format ?? FormatConstraint(.any),
      lowering: .link)
  }
}
