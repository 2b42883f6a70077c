/// The wires by which it is seen whether a live graph keeps up: those that lead from its live sources to
/// what they are for.
struct LiveWires: Sendable {
  /// A wire that is a queue.
  private struct Wire: Sendable {
    let group: WireGroup
    let index: Int
    let name: String
    /// Whether it comes straight from a live source.
    let isFirst: Bool
    /// The wires that come next on the way, each of which is earlier in the list.
    let following: [Int]
    /// The other wires of its group.
    var inSameGroup: [Int] = []
  }

  private let wires: [Wire]
  /// How many samples each wire had dropped at the last look, and how many of them count.
  private var seen: [Int]
  private var dropped = 0

  init(_ plan: Plan, _ groups: [WireGroup]) {
    let topology = plan.index.numbers(plan).topology
    let live = plan.liveNodes(topology)
    var places: [String: (group: WireGroup, index: Int)] = [:]
    for group in groups {
      for (index, wire) in group.wires.enumerated()
      where !wire.isAside && !wire.policy.keepsLatest && wire.delivery != .direct {
        places[wire.name] = (group, index)
      }
    }
    var found: [Wire] = []
    var numbers: [Int: Int] = [:]
    /// For each node the wires of the list that come next after it.
    var next: [Int: [Int]] = [:]
    for node in topology.order.reversed() {
      for wire in topology.outgoing[node] {
        let target = topology.target(of: wire)
        if live.contains(node), let place = places[plan.wires[wire].name] {
          numbers[wire] = found.count
          found.append(
            Wire(
              group: place.group, index: place.index, name: plan.wires[wire].name,
              isFirst: plan.nodes[node].node.traits.isLive && topology.incoming[node].isEmpty,
              following: next[target] ?? []))
        }
        next[node, default: []] += numbers[wire].map { [$0] } ?? next[target] ?? []
      }
    }
    let joined = Dictionary(grouping: found.indices) { ObjectIdentifier(found[$0].group) }
    for members in joined.values where members.count > 1 {
      for number in members { found[number].inSameGroup = members.filter { $0 != number } }
    }
    wires = found
    seen = found.map { _ in 0 }
  }

  /// How full the wires are; `nil` before the first sample, and once the sources have ended.
  ///
  /// What a wire holds for another input of its node, which comes later, doesn't count. Nor does a wire
  /// that is full since its node, or one after it, waits for an input that has nothing: a device that
  /// gives nothing is none that a step could help.
  mutating func observe() -> WireObservation? {
    let fills = wires.map { $0.group.fill(of: $0.index) }
    var isStarved = Array(repeating: false, count: wires.count)
    var (fullest, time) = (Int?.none, Int64?.none)
    for (number, wire) in wires.enumerated() {
      let fill = fills[number]
      let waits =
        wire.following.contains { isStarved[$0] }
        || wire.inSameGroup.contains { fills[$0].isEmpty }
      isStarved[number] = fill.level > 0.5 && waits
      if wire.isFirst, fill.isOpen, let last = fill.last { time = max(time ?? last, last) }
      let lost = fill.dropped - seen[number]
      seen[number] = fill.dropped
      guard !isStarved[number] else { continue }
      if wire.isFirst { dropped += lost }
      if fill.level > (fullest.map { fills[$0].level } ?? -1) { fullest = number }
    }
    guard let time else { return nil }
    return WireObservation(
      time: Double(time) / 1e9, level: fullest.map { fills[$0].level } ?? 0,
      wire: fullest.map { wires[$0].name } ?? "", dropped: dropped)
  }
}

/// How full a wire is.
struct WireFill: Hashable, Sendable {
  /// From 0 to 1, where nothing counts that the wire holds for the sake of a delay.
  var level: Double
  /// How far its media has come, in nanoseconds; `nil` before the first sample.
  var last: Int64?
  /// Whether samples may still come.
  var isOpen: Bool
  /// Whether it has nothing, and something may still come.
  var isEmpty: Bool
  /// How many samples were dropped since it was full.
  var dropped: Int
}

extension WireGroup {
  /// How full a wire is at the moment.
  func fill(of index: Int) -> WireFill {
    monitor.withLock { state in
      let input = state.levels.inputs[index]
      let queue = state.queues[index]
      let isOpen = !input.isFinished && !queue.isLeftOut && !queue.isFlushing
      return WireFill(
        level: isOpen ? input.level : 0, last: input.first == nil ? nil : input.last,
        isOpen: isOpen, isEmpty: isOpen && input.samples == 0,
        dropped: queue.ledger.dropped[DropReason.wireFull.rawValue] ?? 0)
    }
  }
}

extension Readiness.Input {
  /// How much is taken of the last second's room: what a queue can hold beyond that is there for a
  /// delay.
  fileprivate var level: Double {
    let parts = [
      Double(time) / Double(max(1, capacityTime)), Double(bytes) / Double(max(1, policy.bytes)),
      Double(samples) / Double(max(1, policy.samples)),
    ]
    let seconds = max(1, Double(capacityTime) / 1e9)
    // The sample that fills a queue may go beyond its bound.
    return min(1, max(0, 1 - (1 - (parts.max() ?? 0)) * seconds))
  }
}
