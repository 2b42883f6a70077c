/// Limited sinks, and the wires of sources that lead to them.
extension Plan {
  /// For each source's wire that leads to a limited sink its limit, and whether the session
  /// begins with its first sample.
  func sessionLimits() -> [PlanWire: (limit: SessionLimit, starts: Bool)] {
    var limits: [PlanWire: (limit: SessionLimit, starts: Bool)] = [:]
    for node in nodes {
      guard let duration = (node.node as? any LimitedNode)?.maximumDuration else { continue }
      let limit = SessionLimit(duration)
      let sources = inputs(of: node.name).map { (kind: $0.format.kind, wires: sourceWires(of: $0)) }
      let hasVideo = sources.contains { $0.kind.decoded == .video }
      for source in sources {
        for wire in source.wires {
          limits[wire] = (limit, !hasVideo || source.kind.decoded == .video)
        }
      }
    }
    return limits
  }

  /// The wires where the samples of a wire begin their way.
  private func sourceWires(of wire: PlanWire) -> [PlanWire] {
    let earlier = inputs(of: wire.from.node)
    return earlier.isEmpty ? [wire] : earlier.flatMap(sourceWires)
  }

  /// Whether a wire comes from a source and leads to a limited sink.
  func isLimited(_ wire: PlanWire) -> Bool {
    guard inputs(of: wire.from.node).isEmpty else { return false }
    return leadsToLimit(wire.to.node)
  }

  private func leadsToLimit(_ name: String) -> Bool {
    if (self[name]?.node as? any LimitedNode)?.maximumDuration != nil { return true }
    return outputs(of: name).contains { leadsToLimit($0.to.node) }
  }
}
