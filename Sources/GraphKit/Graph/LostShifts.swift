/// Files begin with their first sample: where all that leads to one is presented later, there is
/// nothing for it to be later than.
extension GraphDraft {
  /// What to say of the sinks that a shift in time is lost in.
  var lostShifts: [Notice] {
    var shifts: [Int: MediaTime] = [:]
    return nodes.indices.compactMap { index in
      guard writesSamples(index) else { return nil }
      let shift = shift(at: index, &shifts)
      guard shift > .zero else { return nil }
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

  /// By how much the earliest of what enters a node is shifted at least, with the node's own.
  private func shift(at index: Int, _ known: inout [Int: MediaTime]) -> MediaTime {
    if let shift = known[index] { return shift }
    let sources = wires(into: index).compactMap { wires[$0].source }
    var earliest: MediaTime?
    for source in sources {
      let shift = shift(at: source, &known)
      earliest = min(earliest ?? shift, shift)
    }
    let shift = (earliest ?? .zero) + (nodes[index].node?.traits.presentationShift ?? .zero)
    known[index] = shift
    return shift
  }
}
