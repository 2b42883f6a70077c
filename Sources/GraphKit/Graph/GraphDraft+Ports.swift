extension GraphDraft {
  /// Gives each wire its ports, and reports those that can't have any.
  mutating func choosePorts() {
    var choice = PortChoice()
    excuseSuggested()
    for index in wires.indices where !isSettled(index) { excuse(wires[index]) }
    // Inputs that are named go first, so that no other wire takes them away.
    let named = wires.indices.filter { isSettled($0) && candidates(wires[$0].to, .input).isNamed }
    for index in named { choose(index, &choice) }
    let rest = Set(named)
    for index in wires.indices where isSettled(index) && !rest.contains(index) {
      choose(index, &choice)
    }
  }

  /// Whether both ends of a wire are nodes and ports that there are.
  private func isSettled(_ index: Int) -> Bool {
    let wire = wires[index]
    guard let source = wire.source, let target = wire.target, source != target else { return false }
    return nodes[source].isSound && nodes[target].isSound
      && !candidates(wire.from, .output).ports.isEmpty
      && !candidates(wire.to, .input).ports.isEmpty
  }

  /// The ports that an end may stand for.
  private func candidates(
    _ end: DraftEnd, _ direction: PortDirection
  ) -> (ports: [PortDeclaration], isNamed: Bool) {
    guard let index = index(of: end.node) else { return ([], false) }
    let node = nodes[index]
    guard let name = end.port else { return (node.ports(direction), false) }
    if let port = node.port(name, direction) { return ([port], true) }
    // In the middle of a row the name may be that of the node's other port.
    let isOther = end.isMiddle && node.port(name, direction.opposite) != nil
    return (isOther ? node.ports(direction) : [], false)
  }

  private mutating func choose(_ index: Int, _ choice: inout PortChoice) {
    let wire = wires[index]
    let outputs = candidates(wire.from, .output).ports.map { port in
      (port: port, kind: format(of: port, at: wire.source).kind)
    }
    let (all, isNamed) = candidates(wire.to, .input)
    let inputs = isNamed ? all : all.compactMap { choice.free($0, of: wire.to.node) }
    let (pairs, fit) = PortChoice.best(outputs, inputs)
    let wanted = PortChoice.best(outputs, all)
    if inputs.isEmpty || wanted.fit > fit {
      wires[index].output = wanted.pairs[0].output
      return reportTaken(wanted.pairs[0].input, by: wires[index], &choice)
    }
    guard pairs.count == 1, fit > .not || inputs.count * outputs.count == 1 else {
      excuse(wire)
      return reportChoice(wire, outputs, inputs, pairs, fit)
    }
    join(index, pairs[0], &choice)
  }

  private mutating func join(
    _ index: Int, _ pair: (output: PortDeclaration, input: PortDeclaration),
    _ choice: inout PortChoice
  ) {
    let wire = wires[index]
    wires[index].output = pair.output
    wires[index].format = format(of: pair.output, at: wire.source)
    let output = PortReference(wire.from.node, pair.output.name)
    let input = PortReference(wire.to.node, pair.input.name)
    guard choice.take(input, for: output) == nil else {
      return reportTaken(pair.input, by: wire, &choice)
    }
    wires[index].input = pair.input
    carried[input] = wires[index].format
  }
}

extension GraphDraft {
  private mutating func reportTaken(
    _ port: PortDeclaration, by wire: DraftWire, _ choice: inout PortChoice
  ) {
    let input = PortReference(wire.to.node, port.name)
    guard let feeder = choice.feeder(of: input) else { return }
    let next = choice.free(port, of: input.node)?.name
    report(
      .wire(.inputTaken(input, by: feeder, next: next)), at: wire.to.place, node: input.node,
      port: input.port)
  }

  private mutating func reportChoice(
    _ wire: DraftWire, _ outputs: [(port: PortDeclaration, kind: MediaKind)],
    _ inputs: [PortDeclaration],
    _ pairs: [(output: PortDeclaration, input: PortDeclaration)], _ fit: PortChoice.Fit
  ) {
    let fits = fit > .not
    let chosen = fits ? pairs : []
    let sources = unique(fits ? chosen.map(\.output.name) : outputs.map(\.port.name))
    let targets = unique(fits ? chosen.map(\.input.name) : inputs.map(\.name))
    // Of two open ends the first is to be named: that may settle the second.
    let (end, direction, names): (DraftEnd, PortDirection, [String]) =
      sources.count > 1 && (fits || targets.count == 1)
      ? (wire.from, .output, sources) : (wire.to, .input, targets)
    let kind = direction == .input ? outputs[0].kind : inputs[0].format.kind
    let problem = fits
      ? WireProblem.ambiguous(node: end.node, direction, ports: names)
      : WireProblem.noFit(node: end.node, direction, kind: kind, ports: names)
    report(.wire(problem), at: end.place, node: end.node)
  }

  /// Keeps a wire that can't be had from making its nodes look unwired.
  private mutating func excuse(_ wire: DraftWire) {
    excused.formUnion([wire.source, wire.target].compactMap(\.self))
  }

  /// The same for nodes whose names are misspelt in wires; the bound is for hostile files.
  private mutating func excuseSuggested() {
    let known = nodes.map(\.name.value)
    let unknown = rows.joined().filter { index(of: $0.node) == nil }.prefix(GraphErrors.limit)
    for end in unknown {
      if let near = closest(to: end.node, among: known), let index = index(of: near) {
        excused.insert(index)
      }
    }
  }
}

private func unique(_ names: [String]) -> [String] {
  var seen: Set<String> = []
  return names.filter { seen.insert($0).inserted }
}
