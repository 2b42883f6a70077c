/// Neither the node itself has anything against what enters it, nor the converter that it needs.
enum StatedMisfit: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    var formats: [Int: [String: FormatConstraint]] = [:]
    var unconverted: [Int: NodeError] = [:]
    for wire in draft.wires where !wire.isVoid {
      guard let target = wire.target, let input = wire.input else { continue }
      let entering = draft.sized(wire)
      formats[target, default: [:]][input.name] = entering
      guard entering.narrowed(by: input.format) == nil else { continue }
      unconverted[target] = unconverted[target] ?? entering.conversionProblem(to: input.format)
    }
    return draft.nodes.indices.compactMap { index in
      let node = draft.nodes[index]
      guard node.isSound, let entering = formats[index] else { return nil }
      return (node.node?.problem(formats: entering) ?? unconverted[index]).map(node.stated)
    }
  }
}

extension GraphDraft {
  /// What enters at the end of a wire, with the frame size as it was further upstream where no node
  /// changes it: a decoder promises none, but it gives what its file says.
  fileprivate func sized(_ wire: DraftWire, depth: Int = 64) -> FormatConstraint {
    entering(wire, of: leaving(wire, depth: depth))
  }

  private func leaving(_ wire: DraftWire, depth: Int) -> FormatConstraint {
    guard wire.format.kind == .video, wire.format.width == nil, depth > 0,
      let source = wire.source, let output = wire.output,
      output.follows != nil || nodes[source].type?.role == .decoder,
      let entering = wires(into: source).first
    else { return wire.format }
    let arriving = sized(wires[entering], depth: depth - 1)
    let earlier = nodes[source].node?.reshaped(arriving) ?? arriving
    var format = wire.format
    (format.width, format.height) = (earlier.width, format.height ?? earlier.height)
    format.rotation = format.rotation ?? earlier.rotation
    return format
  }
}
