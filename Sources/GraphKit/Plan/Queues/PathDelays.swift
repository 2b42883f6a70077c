/// How late media arrives at each node, because of the latencies on its way.
///
/// Sources count from zero, since nothing says that one is ahead of another. Where a node has
/// several inputs it goes on when the latest has come. Every wire into such a node then holds
/// what it comes earlier than the latest, so that all ways from a fork to where they join hold
/// the same in total, however many forks and joins lie between. Inputs that are taken in turn wait for
/// those of the same number only: each turn's sources are its own, and are held up until it comes.
struct PathDelays {
  /// For each node how late its output is, in nanoseconds.
  private let delays: [Int64]
  private let shifts: PathShifts
  private let plan: Plan
  private let topology: Topology
  /// For each node with several inputs how late they come, in each of its turns.
  private let joins: [Turn: Join]

  /// Inputs of a node that are taken together: all, but where it takes them in turn.
  private struct Turn: Hashable {
    var node: Int
    var number: Int
  }

  /// How late the inputs of a node come: for each wire the question is how late the others do, so
  /// the latest two are kept of each kind.
  private struct Join {
    var delays = Latest()
    /// For each source that leads to several, how late less how much later it is presented.
    var bySource: [Int: Latest] = [:]

    mutating func add(_ wire: Int, delay: Int64, _ shifts: [Int: PathShifts.Shift]) {
      delays.add(delay, of: wire)
      for (origin, shift) in shifts {
        bySource[origin, default: Latest()].add(delay - shift.least, of: wire)
      }
    }
  }

  init(_ plan: Plan, _ topology: Topology) throws(PlanError) {
    (self.plan, self.topology) = (plan, topology)
    var delays = Array(repeating: Int64(0), count: plan.nodes.count)
    let shares = plan.frameShares(topology)
    for number in topology.order {
      let node = plan.nodes[number]
      let earlier = topology.incoming[number].map { delays[topology.source(of: $0)] }.max() ?? 0
      // A day of latency times eight is still far from overflow.
      guard let own = Nanoseconds.count(plan.latency(of: node)),
        case let latency = own * Int64(shares[number]), earlier <= Nanoseconds.longest - latency
      else { throw .latency(node: node.name) }
      delays[number] = earlier + latency
    }
    self.delays = delays
    let shifts = PathShifts(plan, topology)
    self.shifts = shifts
    var joins: [Turn: Join] = [:]
    for incoming in topology.incoming where incoming.count > 1 {
      for wire in incoming {
        let source = topology.source(of: wire)
        joins[Self.turn(of: wire, plan, topology), default: Join()]
          .add(wire, delay: delays[source], shifts.shifts(at: source))
      }
    }
    self.joins = joins
  }

  /// How much earlier than the latest other input of the same node a wire's media arrives: because
  /// that is held back on its way, or because this is presented later than what left the same
  /// source with it.
  func skew(of wire: Int) -> Int64 {
    guard let join = joins[Self.turn(of: wire, plan, topology)] else { return 0 }
    let source = topology.source(of: wire)
    var skews = [join.delays.latest(but: wire)]
    for (origin, shift) in shifts.shifts(at: source) {
      skews.append(join.bySource[origin]?.latest(but: wire).map { $0 + shift.greatest })
    }
    return max(0, (skews.compactMap(\.self).max() ?? 0) - delays[source])
  }

  private static func turn(of wire: Int, _ plan: Plan, _ topology: Topology) -> Turn {
    Turn(node: topology.target(of: wire), number: plan.turn(of: plan.wires[wire]) ?? 0)
  }
}

/// The two latest times of wires.
private struct Latest {
  private var first: (time: Int64, wire: Int)?
  private var second: Int64?

  mutating func add(_ time: Int64, of wire: Int) {
    if let first, time <= first.time {
      second = max(second ?? time, time)
    } else {
      second = first?.time
      first = (time, wire)
    }
  }

  /// The latest time of another wire than the given one.
  func latest(but wire: Int) -> Int64? { first?.wire == wire ? second : first?.time }
}
