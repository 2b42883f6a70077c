extension GraphDraft {
  /// Gives each wire its ports, and reports those that can't have any.
  mutating func choosePorts() {
    excuseSuggested()
    let candidates = wires.map(candidates)
    for index in wires.indices where !candidates[index].exist {
      excuse(wires[index])
      wires[index].isVoid = areSound(wires[index])
    }
    var choice = PortChoice()
    // Inputs that are named go first, so that no other wire takes them away.
    for namesInput in [true, false] {
      for index in wires.indices {
        let open = candidates[index]
        if open.exist, open.namesInput == namesInput { choose(index, open, &choice) }
      }
    }
  }

  /// The ports that a wire may join, as far as what it names goes.
  private struct Candidates {
    var outputs: [PortDeclaration] = []
    var inputs: [PortDeclaration] = []
    /// Whether the wire leaves no choice of input.
    var namesInput = false
    /// Whether there are such nodes and ports at all.
    var exist: Bool { !outputs.isEmpty && !inputs.isEmpty }
  }

  private func candidates(_ wire: DraftWire) -> Candidates {
    guard areSound(wire), let source = wire.source, let target = wire.target, source != target
    else { return Candidates() }
    let inputs = ports(wire.to, .input, of: nodes[target])
    if let own = inputOfItem(wire.to, inputs, of: nodes[target]) {
      return Candidates(
        outputs: ports(wire.from, .output, of: nodes[source]), inputs: [own], namesInput: true)
    }
    return Candidates(
      outputs: ports(wire.from, .output, of: nodes[source]), inputs: inputs,
      namesInput: wire.to.port.map { nodes[target].port($0, .input) != nil } ?? false)
  }

  /// Where inputs come in turn, each item of a list has its own turn, whichever streams it lacks.
  private func inputOfItem(
    _ end: DraftEnd, _ inputs: [PortDeclaration], of node: DraftNode
  ) -> PortDeclaration? {
    guard let item = end.item, inputs.count == 1, inputs[0].isRepeatable,
      node.node?.traits.takesInputsInTurn == true
    else { return nil }
    return item == 1 ? inputs[0] : node.port("\(inputs[0].baseName).\(item)", .input)
  }

  func ports(
    _ end: DraftEnd, _ direction: PortDirection, of node: DraftNode
  ) -> [PortDeclaration] {
    guard let name = end.port else { return node.ports(direction) }
    if let port = node.port(name, direction) { return [port] }
    // In the middle of a row the name may be that of the node's other port.
    let isOther = end.isMiddle && node.port(name, direction.opposite) != nil
    return isOther ? node.ports(direction) : []
  }

  private func areSound(_ wire: DraftWire) -> Bool {
    guard let source = wire.source, let target = wire.target else { return false }
    return nodes[source].isSound && nodes[target].isSound
  }

  private mutating func choose(_ index: Int, _ open: Candidates, _ choice: inout PortChoice) {
    let wire = wires[index]
    let outputs = open.outputs.map { (port: $0, kind: choice.kind(of: $0, at: wire.from.node)) }
    let inputs =
      open.namesInput
      ? open.inputs : open.inputs.compactMap { choice.free($0, of: wire.to.node) }
    let (pairs, fit) = PortChoice.best(outputs, inputs)
    let wanted = PortChoice.best(outputs, open.inputs)
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
    let kind = choice.kind(of: pair.output, at: wire.from.node)
    wires[index].format.kind = kind
    let output = PortReference(wire.from.node, pair.output.name)
    let input = PortReference(wire.to.node, pair.input.name)
    guard choice.take(input, for: output, kind) == nil else {
      return reportTaken(pair.input, by: wire, &choice)
    }
    wires[index].input = pair.input
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
    // Of two open ends the first is to be named: that may decide the second.
    let (end, direction, names): (DraftEnd, PortDirection, [String]) =
      sources.count > 1 && (fits || targets.count == 1)
      ? (wire.from, .output, sources) : (wire.to, .input, targets)
    let kind = direction == .input ? outputs[0].kind : inputs[0].format.kind
    let problem =
      fits
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
    let known = names
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
