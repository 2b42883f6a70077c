/// Neither the node itself has anything against what enters it, nor the converter that it needs.
enum StatedMisfit: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    var formats: [Int: [String: FormatConstraint]] = [:]
    var unconverted: [Int: NodeError] = [:]
    for (number, wire) in draft.wires.enumerated() {
      guard let target = wire.ends?.target, let input = wire.input else { continue }
      let entering = draft.flow.arriving(on: number)
      formats[target, default: [:]][input.name] = entering
      guard entering.narrowed(by: input.format) == nil else { continue }
      unconverted[target] = unconverted[target] ?? entering.conversionProblem(to: input.format)
    }
    return draft.nodes.indices.compactMap { index in
      let node = draft.nodes[index]
      guard node.isSound, let entering = formats[index] else { return nil }
      let later = node.type.map { node.atKeyframes(of: $0) } ?? []
      let nodes = [node.node].compactMap(\.self) + later
      let problem = nodes.lazy.compactMap { $0.problem(formats: entering) }.first
      return (problem ?? unconverted[index]).map(node.stated)
    }
  }
}
