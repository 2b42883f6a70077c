/// How much later than it left its source media is presented at each node.
///
/// Two ways from one source on which it differs meet at different times of the media: what is
/// presented later has come by the time of what is presented now, and has to wait. Sources of their
/// own are just read later.
struct PathShifts {
  /// For each node, and for each source that leads to it, the shift in nanoseconds; empty where no
  /// node shifts anything.
  private let shifts: [[Int: Shift]]

  /// How much later media is presented, on the ways where that is least and greatest.
  struct Shift { var least, greatest: Int64 }

  init(_ plan: Plan, _ topology: Topology) {
    let nodes = plan.nodes
    guard nodes.contains(where: { Nanoseconds.count($0.node.traits.presentationShift) ?? 0 != 0 })
    else {
      shifts = []
      return
    }
    var shifts: [[Int: Shift]] = plan.nodes.map { _ in [:] }
    for number in topology.order {
      let incoming = topology.incoming[number].map(topology.source(of:))
      let own = Nanoseconds.count(plan.nodes[number].node.traits.presentationShift) ?? 0
      if incoming.isEmpty { shifts[number][number] = Shift(least: own, greatest: own) }
      for earlier in incoming {
        for (source, shift) in shifts[earlier] {
          let least = Self.sum(shift.least, own), greatest = Self.sum(shift.greatest, own)
          let known = shifts[number][source]
          shifts[number][source] = Shift(
            least: min(known?.least ?? least, least),
            greatest: max(known?.greatest ?? greatest, greatest))
        }
      }
    }
    self.shifts = shifts
  }

  /// How much later media is presented downstream of a node, by the source that it left.
  func shifts(at node: Int) -> [Int: Shift] { shifts.isEmpty ? [:] : shifts[node] }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 { min(a + b, Nanoseconds.longest) }
}
