/// Files begin with their first sample: where all that leads to one is presented later, there is
/// nothing for it to be later than.
extension GraphDraft {
  /// What to say of the sinks that a shift in time is lost in.
  var lostShifts: [Notice] {
    let shifts = shifts
    return nodes.indices.compactMap { index in
      guard writesSamples(index), let shift = shifts[index], shift > .zero else { return nil }
      return Notice(
        node: nodes[index].name.value,
        message:
          "its file begins with its first sample, so all of it is \(shift.seconds) s earlier "
          + "than what is shifted before it; mix it with something that isn't shifted, such as "
          + "silence, where it should begin later")
    }
  }

  /// Whether a node writes a file of audio or video, each at its time.
  private func writesSamples(_ index: Int) -> Bool {
    let node = nodes[index]
    let kinds: [MediaKind] = [.audio, .encodedAudio, .encodedVideo]
    guard node.type?.role == .sink, node.ports.allSatisfy({ kinds.contains($0.format.kind) }) else {
      return false
    }
    return node.type?.parameters.contains { $0.kind == .path } ?? false
  }

  /// By how much the earliest of what enters each node is shifted at least, with the node's own.
  private var shifts: [Int: MediaTime] {
    var shifts: [Int: MediaTime] = [:]
    for index in topology.order {
      let earliest = topology.incoming[index].compactMap { shifts[topology.source(of: $0)] }.min()
      shifts[index] = (earliest ?? .zero) + (nodes[index].node?.traits.presentationShift ?? .zero)
    }
    return shifts
  }
}
