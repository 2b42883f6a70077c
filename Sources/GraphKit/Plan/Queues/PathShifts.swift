/// How much later than it left its source media is presented at each node.
///
/// Two ways from one source on which it differs meet at different times of the media: what is
/// presented later has come by the time of what is presented now, and has to wait. Sources of their
/// own are just read later.
struct PathShifts {
  /// For each node, and for each source that leads to it, the least and the greatest shift in
  /// nanoseconds.
  private let shifts: [[Int: ClosedRange<Int64>]]

  init(_ topology: Topology) {
    var shifts: [[Int: ClosedRange<Int64>]] = topology.plan.nodes.map { _ in [:] }
    for number in topology.order {
      let incoming = topology.incoming[number].map(topology.source(of:))
      let own = Nanoseconds.count(topology.plan.nodes[number].node.presentationShift) ?? 0
      if incoming.isEmpty { shifts[number][number] = own...own }
      for earlier in incoming {
        for (source, range) in shifts[earlier] {
          let low = Self.sum(range.lowerBound, own), high = Self.sum(range.upperBound, own)
          let known = shifts[number][source] ?? low...high
          shifts[number][source] = min(known.lowerBound, low)...max(known.upperBound, high)
        }
      }
    }
    self.shifts = shifts
  }

  /// How much later media is presented behind one node than behind another, at most, where it
  /// left one source.
  func lead(of node: Int, over other: Int) -> Int64 {
    let leads = shifts[node].compactMap { source, range in
      shifts[other][source].map { range.upperBound - $0.lowerBound }
    }
    return max(0, leads.max() ?? 0)
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 { min(a + b, Nanoseconds.longest) }
}
