/// Limited sinks, and the wires of sources that lead to them.
extension Plan {
  /// What a limited sink means for a source's wire that leads to it.
  struct WireLimit {
    var limit: SessionLimit
    /// Whether the session begins with the wire's first sample.
    var starts: Bool
    /// Whether its samples may wait for the session to begin.
    var waits: Bool
  }

  /// For each source's wire that leads to a limited sink its limit.
  func sessionLimits() -> [PlanWire: WireLimit] {
    var limits: [PlanWire: WireLimit] = [:]
    for node in nodes {
      guard let duration = node.node.traits.maximumDuration else { continue }
      let limit = SessionLimit(duration)
      let sources = inputs(of: node.name).flatMap { input in
        sourceWires(of: input).map { (wire: $0, isVideo: input.format.kind.decoded == .video) }
      }
      let hasVideo = sources.contains(where: \.isVideo)
      let starters = Set(sources.filter(\.isVideo).map(\.wire.from.node))
      for (wire, isVideo) in sources {
        let source = wire.from.node
        // A source of both might have no frame to give before its audio is taken, but for a file,
        // each of whose streams has a reader of its own.
        let node = self[source]?.node
        let waits =
          node?.traits.isLive == false && (node?.fileStreams != nil || !starters.contains(source))
        limits[wire] = WireLimit(
          limit: limit, starts: !hasVideo || isVideo, waits: hasVideo && !isVideo && waits)
      }
    }
    return limits
  }

  /// The wires where the samples of a wire begin their way. What comes in turn has its time only
  /// after the node that takes it so.
  private func sourceWires(of wire: PlanWire) -> [PlanWire] {
    var (found, pending, seen) = ([PlanWire](), [wire], Set([wire.from.node]))
    while let wire = pending.popLast() {
      let earlier = beginsTimes(wire.from.node) ? [] : inputs(of: wire.from.node)
      if earlier.isEmpty { found.append(wire) }
      pending += earlier.filter {
        inputs(of: $0.from.node).isEmpty || seen.insert($0.from.node).inserted
      }
    }
    return found
  }
}
