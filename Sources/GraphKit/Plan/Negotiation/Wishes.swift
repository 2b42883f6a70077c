/// What every port would like to carry, so that as few wires as possible need a converter.
///
/// First downstream: what reaches each output if nothing is converted. Then upstream: each output
/// takes on what its consumers accept, and asks the same of the input that it follows. So what
/// the end of a chain of effects wants arrives at the chain's start, and one conversion there,
/// or a source that makes the format itself, serves the whole chain.
struct Wishes {
  /// What an input accepts, narrowed to what serves the nodes after it.
  private(set) var inputs: [PortReference: FormatConstraint] = [:]
  /// What an output should give.
  private(set) var outputs: [PortReference: FormatConstraint] = [:]

  private let plan: Plan
  private let topology: Topology
  private let flow: FormatFlow

  init(_ plan: Plan, _ topology: Topology) {
    (self.plan, self.topology, flow) = (plan, topology, FormatFlow(plan))
    for node in topology.order.reversed() { pullUp(node) }
  }

  private mutating func pullUp(_ number: Int) {
    let node = plan.nodes[number]
    for port in node.ports where port.direction == .output {
      let reference = PortReference(node.name, port.name)
      let accepted = topology.outgoing[number].filter {
        plan.wires[$0].from == reference
      }.compactMap { inputs[plan.wires[$0].to] }
      outputs[reference] = choice(
        for: port, reaching: flow.format(of: port, at: number), accepted: accepted)
    }
    let followers = Dictionary(
      grouping: node.ports.filter { $0.direction == .output && $0.follows != nil },
      by: { $0.follows ?? "" })
    for port in node.ports where port.direction == .input {
      inputs[PortReference(node.name, port.name)] = wish(
        of: port, in: node, followers: followers[port.name] ?? [])
    }
  }

  /// What serves most consumers, counting an upstream conversion as one that isn't served.
  private func choice(
    for port: PortDeclaration, reaching: FormatConstraint, accepted: [FormatConstraint]
  ) -> FormatConstraint {
    // Each consumer's wish may be the one to begin with; a hundred consumers agree by then.
    let seeds = accepted.prefix(Self.seeds) + [reaching]
    var best = (served: -1, format: port.format)
    for seed in seeds {
      guard var format = port.format.narrowed(by: seed) else { continue }
      var served = 0
      for wish in accepted {
        guard let narrower = wish.narrowed(by: format) else { continue }
        format = narrower
        served += 1
      }
      if format.narrowed(by: reaching) != nil { served += 1 }
      if served > best.served { best = (served, format) }
    }
    // What serves one consumer must leave the others something to convert.
    let isDeadEnd = accepted.contains { best.format.fixed.conversionProblem(to: $0) != nil }
    return isDeadEnd ? port.format.narrowed(by: reaching) ?? port.format : best.format
  }

  private static let seeds = 16

  private func wish(
    of port: PortDeclaration, in node: PlanNode, followers: [PortDeclaration]
  ) -> FormatConstraint {
    var wish = port.format
    // A decoder's output is up to the stream, which can't be encoded otherwise for it.
    guard node.type.role != .decoder else { return wish }
    for output in followers {
      guard let following = Following(output, of: node.node, ports: node.ports),
        let wanted = outputs[PortReference(node.name, output.name)],
        let narrower = wish.narrowed(by: following.pulledBack(wanted)),
        node.takes(narrower, on: port)
      else { continue }
      wish = narrower
    }
    return wish
  }
}

extension PlanNode {
  /// Whether the node has nothing against a format on an input but what it has against any: an
  /// equalizer can't work at a rate that its bands are beyond.
  fileprivate func takes(_ format: FormatConstraint, on port: PortDeclaration) -> Bool {
    node.problem(formats: [port.name: format]) == nil
      || node.problem(formats: [port.name: port.format]) != nil
  }
}
