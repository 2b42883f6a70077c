/// Limited sinks, and the wires where their sessions end.
extension Plan {
  /// The sessions that a wire ends with, and what it has to do with each.
  typealias WireLimit = [LimitGate.Session]

  /// For each wire that limited sinks end their limits.
  func sessionLimits() -> [PlanWire: WireLimit] {
    let limited = index.limitedWires(self).sinks
    var sessions: [Int: (limit: SessionLimit, roles: [PlanWire: LimitGate.Role])] = [:]
    for number in Set(limited.values.joined()) {
      guard let duration = nodes[number].node.traits.maximumDuration else { continue }
      sessions[number] = (SessionLimit(duration), limitRoles(for: nodes[number].name, limited))
    }
    return Dictionary(
      uniqueKeysWithValues: limited.map { wire, sinks in
        (
          wire,
          sinks.compactMap { number in
            sessions[number].flatMap { session in
              session.roles[wire].map { LimitGate.Session(limit: session.limit, role: $0) }
            }
          }
        )
      })
  }

  /// What each wire that ends with a sink's session has to do with it.
  private func limitRoles(
    for sink: String, _ limited: [PlanWire: [Int]]
  ) -> [PlanWire: LimitGate.Role] {
    let found = inputs(of: sink).flatMap { input in
      way(to: input).map { ($0, isVideo: input.format.kind.decoded == .video) }
    }
    let sources = found.filter { beginsTimes($0.0.from.node) }
    let hasVideo = found.contains(where: \.isVideo)
    let starters = Set(sources.filter(\.isVideo).map(\.0.from.node))
    var roles: [PlanWire: LimitGate.Role] = [:]
    for (wire, isVideo) in found where limited[wire] != nil {
      // A source of both might have no frame to give before its audio is taken, but for a file,
      // each of whose streams has a reader of its own.
      let mayWait = sourceNodes(of: wire).allSatisfy { source in
        let node = self[source]?.node
        return node?.traits.isLive == false
          && (node?.readsStreamsApart == true || !starters.contains(source))
      }
      roles[wire] = LimitGate.Role(
        starts: !hasVideo || isVideo, waits: hasVideo && !isVideo && mayWait)
    }
    return roles
  }

  /// The sources, and nodes that take their inputs in turn, from which samples get to a wire.
  private func sourceNodes(of wire: PlanWire) -> [String] {
    way(to: wire).map(\.from.node).filter(beginsTimes)
  }

  /// A wire and those on which its samples come to it, from where their times begin.
  private func way(to wire: PlanWire) -> [PlanWire] {
    var (found, pending, seen) = ([wire], [wire], Set([wire.from.node]))
    while let wire = pending.popLast() {
      guard !beginsTimes(wire.from.node) else { continue }
      for earlier in inputs(of: wire.from.node) {
        found.append(earlier)
        if seen.insert(earlier.from.node).inserted { pending.append(earlier) }
      }
    }
    return found
  }
}
