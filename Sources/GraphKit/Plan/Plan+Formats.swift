extension Plan {
  /// What passes at each wired port of a node, as far as it is known.
  func formats(at name: String) -> [String: FormatConstraint] {
    var formats: [String: FormatConstraint] = [:]
    for wire in inputs(of: name) { formats[wire.to.port] = wire.format }
    for wire in outputs(of: name) { formats[wire.from.port] = wire.format }
    return formats
  }

  /// The same, and of frames which way up they are, which no coding changes.
  func settledFormats(at name: String) -> [String: FormatConstraint] {
    var formats = formats(at: name)
    for wire in inputs(of: name) { formats[wire.to.port]?.rotation = known(on: wire).rotation }
    return formats
  }

  /// All that is known of what passes on a wire: its format, and what the nodes before it keep
  /// though no port says so.
  func known(on wire: PlanWire) -> FormatConstraint {
    let numbers = index.numbers(self)
    let entering = numbers.nodes[wire.to.node].map { numbers.topology.incoming[$0] } ?? []
    let number = entering.first { wires[$0].to == wire.to }
    return number.map { index.flow(self).formats[$0] } ?? wire.format
  }

  /// How long a node holds media back, given what passes there.
  func latency(of node: PlanNode) -> MediaTime {
    node.node.latency(formats: formats(at: node.name))
  }

  /// What a wire has to make sure of: its format without what is merely known of it.
  ///
  /// An output that follows an input makes nothing of its own where it leaves a field open, so a
  /// filter there could only refuse samples, such as those of a stream whose frame rate isn't
  /// quite what its file says.
  func demand(on wire: PlanWire) -> FormatConstraint {
    guard let source = self[wire.from.node], let output = source.port(wire.from.port, .output),
      output.follows != nil || source.leavesFormatToRun
    else { return wire.format }
    let taken = self[wire.to.node]?.port(wire.to.port, .input)?.format
    var demand = wire.format
    for field in FormatField.all where taken.map(field.isOpen) ?? true {
      // What an element's templates list is no choice of the plan's.
      let isKnowledge = field.outlivesCoding && field.isOpen(output.format)
      guard isKnowledge || source.type.role == .general else { continue }
      field.copy(FormatConstraint(.any), &demand)
    }
    return demand
  }
}

extension FormatFlow {
  /// What passes on a plan's wires.
  init(_ plan: Plan, presumes: Bool = false) {
    self.init(
      plan.index.numbers(plan).topology,
      plan.nodes.map { Station(node: $0.node, ports: $0.ports) },
      plan.wires.map { wire in
        Path(
          output: plan[wire.from.node]?.port(wire.from.port, .output),
          input: plan[wire.to.node]?.port(wire.to.port, .input), format: wire.format)
      }, presumes: presumes)
  }
}
