extension GraphDraft {
  /// What an output gives: what it declares, and where it follows an input what enters there.
  func format(of output: PortDeclaration, at index: Int?) -> FormatConstraint {
    guard let index, let followed = output.follows,
      let entering = carried[PortReference(nodes[index].name.value, followed)]
    else { return output.format }
    let reshaped = nodes[index].node?.reshaped(entering) ?? entering
    if let common = try? reshaped.intersection(output.format) { return common }
    // A decoder, or a converter before the node. Neither changes the frame rate.
    var converted = output.format
    if converted.kind == entering.kind.decoded, converted.frameRate == nil {
      converted.frameRate = entering.frameRate
    }
    return converted
  }

  /// What enters the node at a wire's end where frames of a format leave its start: they are turned
  /// where the plan will have them turned.
  func entering(_ wire: DraftWire, of format: FormatConstraint) -> FormatConstraint {
    let node = wire.target.flatMap { nodes[$0].node }
    return node?.traits.needsUprightVideo == true ? format.upright : format
  }

  /// Works out what passes on each wire, from the sources on.
  mutating func settleFormats() {
    let leaving = Dictionary(grouping: wires.indices, by: { wires[$0].source ?? -1 })
    for node in order {
      for index in leaving[node] ?? [] {
        guard let output = wires[index].output else { continue }
        wires[index].format = format(of: output, at: node)
        guard let input = wires[index].input else { continue }
        carried[PortReference(wires[index].to.node, input.name)] = entering(
          wires[index], of: wires[index].format)
      }
    }
  }

  /// The nodes, each after all that feed it. Nodes in a circle, and what is after them, are left
  /// out.
  var order: [Int] {
    var pending = Array(repeating: 0, count: nodes.count)
    var targets: [Int: [Int]] = [:]
    for wire in wires where !wire.isVoid {
      guard let source = wire.source, let target = wire.target, source != target else { continue }
      pending[target] += 1
      targets[source, default: []].append(target)
    }
    var order = nodes.indices.filter { pending[$0] == 0 }
    var position = 0
    while position < order.count {
      for target in targets[order[position]] ?? [] {
        pending[target] -= 1
        if pending[target] == 0 { order.append(target) }
      }
      position += 1
    }
    return order
  }
}
