/// What a document calls a node, and what is several.
enum NodeGroup {
  /// The nodes that are made for the items of a list, by their names.
  case several([String])
  /// Those of a graph.
  case graph(OpenEnds)
  /// What can't be known, as something is wrong with it.
  case unknown
}

/// What the open ports of a graph lead to, by their names.
struct OpenEnds {
  var inputs: [String: DraftEnd]
  var outputs: [String: DraftEnd]

  subscript(direction: PortDirection) -> [String: DraftEnd] {
    direction == .input ? inputs : outputs
  }
}

extension GraphDraft {
  /// A row of wires between nodes and groups as rows between nodes.
  mutating func expanded(_ row: [DraftEnd]) -> [[DraftEnd]] {
    guard row.contains(where: { groups[$0.node] != nil }) else { return [row] }
    var row = row
    for middle in row.indices.dropFirst().dropLast() { row[middle].isMiddle = true }
    return zip(row, row.dropFirst()).flatMap { wires(from: $0, to: $1) }
  }

  private mutating func wires(from: DraftEnd, to: DraftEnd) -> [[DraftEnd]] {
    guard let outputs = ends(of: from, .output), let inputs = ends(of: to, .input) else {
      return []
    }
    if outputs.count == inputs.count { return zip(outputs, inputs).map { [$0, $1] } }
    if outputs.count == 1 { return inputs.map { [outputs[0], $0] } }
    if inputs.count == 1 {
      return outputs.enumerated().map { number, output in
        var input = inputs[0]
        input.item = number + 1
        return [output, input]
      }
    }
    report(
      .wire(.unequalLists(from: from.node, outputs.count, to: to.node, inputs.count)),
      at: to.place, node: to.node)
    excusesAll = true
    return []
  }

  /// The ends at nodes that an end at a node or a group stands for; `nil` where that isn't known.
  private mutating func ends(of end: DraftEnd, _ direction: PortDirection) -> [DraftEnd]? {
    switch groups[end.node] {
    case nil: return [end]
    case .unknown: return nil
    case .several(let names):
      var all: [DraftEnd] = []
      for name in names {
        var one = end
        one.node = name
        guard let ends = ends(of: one, direction) else { return nil }
        all += ends
      }
      return all
    case .graph(let open):
      guard var inner = self.end(of: end, direction, among: open) else {
        excusesAll = true
        return nil
      }
      inner.place = end.place
      return ends(of: inner, direction)
    }
  }

  /// What an end at a graph leads to; reports it where that is nothing, or one of several.
  private mutating func end(
    of end: DraftEnd, _ direction: PortDirection, among open: OpenEnds
  ) -> DraftEnd? {
    let ports = open[direction]
    if let port = end.port {
      if let inner = ports[port] { return inner }
      let isOther = open[direction.opposite][port] != nil
      guard end.isMiddle, isOther else {
        let names = ports.keys.sorted()
        let reference = PortReference(end.node, port)
        let problem =
          isOther
          ? WireProblem.wrongDirection(reference, is: direction.opposite, others: names)
          : .unknownPort(reference, ports: names)
        report(.wire(problem), at: end.place, node: end.node, port: port)
        return nil
      }
    }
    if ports.count == 1 { return ports.values.first }
    let problem =
      ports.isEmpty
      ? WireProblem.noPort(node: end.node, direction)
      : .ambiguous(node: end.node, direction, ports: ports.keys.sorted())
    report(.wire(problem), at: end.place, node: end.node)
    return nil
  }
}
