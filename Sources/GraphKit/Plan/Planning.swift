extension Plan {
  /// The passes that every run needs, in order.
  public static let standardPasses: [any PlanPass] = [
    EnterOnce(), ReadApart(), JoinParts(), PassRawMedia(), TurnUpright(), Negotiate(), PickFrames(),
    CropFirst(), FusePointEffects(), SplitReducers(), EndReading(), FuseStages(), SettleMode(),
    ChooseSteps(), SizeQueues(),
  ]

  /// Plans a graph for so many cores, by default those of the machine: its own nodes and wires, then what each pass makes of them.
  public init(
    _ graph: Graph, passes: [any PlanPass] = Plan.standardPasses, cores: Int? = nil
  ) throws(PlanError) {
    var plan = Plan(
      nodes: graph.nodes.map(PlanNode.init), wires: graph.wires.map { PlanWire($0, in: graph) })
    let context = PlanContext(
      catalog: graph.catalog, givenCores: cores, whenSlow: graph.whenSlow)
    for pass in passes { plan = try pass.apply(to: plan, in: context) }
    if !plan.twoPassEncoders.isEmpty, passes.contains(where: { $0 is SplitReducers }) {
      plan.firstPasses = [
        try Plan(graph, passes: Self.standardPasses(with: MeasureEncoders()), cores: cores)
      ]
    }
    self = plan
  }
}

extension PlanNode {
  package init(_ node: GraphNode) {
    let other: (any Node)? = if case .replaced(let other) = node.node.work { other } else { nil }
    self.init(
      name: node.name, type: node.type, node: other ?? node.node,
      parameters: node.parameters,
      ports: node.ports, isInserted: false, stage: nil)
    original = other.map { _ in node.node }
  }

  /// A node of the engine's own.
  init<N: Node>(_ type: N.Type, _ node: N, name: String) {
    self.init(
      name: name, type: NodeType(type), node: node, parameters: [:], ports: node.portDeclarations,
      isInserted: true, stage: nil)
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
