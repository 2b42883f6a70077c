extension Plan {
  /// What passes at each wired port of a node, as far as it is known.
  func formats(at name: String) -> [String: FormatConstraint] {
    var formats: [String: FormatConstraint] = [:]
    for wire in inputs(of: name) { formats[wire.to.port] = wire.format }
    for wire in outputs(of: name) { formats[wire.from.port] = wire.format }
    return formats
  }

  /// How long a node holds media back, given what passes there.
  func latency(of node: PlanNode) -> MediaTime {
    node.node.latency(formats: formats(at: node.name))
  }
}
