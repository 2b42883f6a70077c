extension Drawing {
  /// The drawing in the language of Graphviz.
  public var dot: String {
    var lines = [
      "digraph {", "  rankdir=LR;",
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\"];",
      "  edge [fontname=\"Helvetica\", fontsize=10];",
    ]
    lines += nodes.filter { !isGrouped($0) }.map { "  " + dotNode($0) }
    for stage in stages {
      lines.append("  subgraph cluster_\(stage.number) {")
      lines.append("    label=\"stage \(stage.number)\"; style=\"rounded,dashed\";")
      lines += stage.nodes.map { "    " + dotNode($0) }
      lines.append("  }")
    }
    lines += wires.map { "  " + dotWire($0) }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private func dotNode(_ node: Box) -> String {
    let label = [node.heading, node.subheading].map(\.dotEscaped).joined(separator: "\\n")
    let style = node.isInserted ? ", style=\"rounded,filled,dashed\"" : ""
    return "\"\(node.name.dotEscaped)\" [label=\"\(label)\", "
      + "fillcolor=\"\(Palette(node.role).fill)\"\(style)];"
  }

  private func dotWire(_ wire: Line) -> String {
    let ends = "\"\(wire.from.node.dotEscaped)\" -> \"\(wire.to.node.dotEscaped)\""
    var attributes: [String] = []
    let label = labelLines(of: wire).map(\.dotEscaped).joined(separator: "\\n")
    if !label.isEmpty { attributes.append("label=\"\(label)\"") }
    let (outputs, inputs) = (node(wire.from)?.outputs.count, node(wire.to)?.inputs.count)
    if outputs ?? 0 > 1 { attributes.append("taillabel=\"\(wire.from.port.dotEscaped)\"") }
    if inputs ?? 0 > 1 { attributes.append("headlabel=\"\(wire.to.port.dotEscaped)\"") }
    if case .queue = wire.crossing { attributes.append("style=bold") }
    return attributes.isEmpty ? "\(ends);" : "\(ends) [\(attributes.joined(separator: ", "))];"
  }
}

extension Drawing {
  /// The stages of more than one node, by number.
  var stages: [(number: Int, nodes: [Box])] {
    Dictionary(grouping: nodes.filter { $0.stage != nil }) { $0.stage! }
      .filter { $1.count > 1 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether the node shares its stage with another.
  func isGrouped(_ node: Box) -> Bool {
    node.stage != nil && nodes.contains { $0.stage == node.stage && $0.name != node.name }
  }

  /// The node that has a port.
  func node(_ port: PortReference) -> Box? { nodes.first { $0.name == port.node } }

  /// What a wire's label says, line by line.
  func labelLines(of wire: Line) -> [String] {
    var lines = wire.format.isEmpty ? [] : [wire.format]
    if case .queue(let time, let drops) = wire.crossing {
      lines.append(drops ? "queue \(time), drops" : "queue \(time)")
    }
    return lines
  }
}

extension String {
  fileprivate var dotEscaped: String {
    reduce(into: "") { text, character in
      switch character {
      case "\"", "\\": text += "\\\(character)"
      case "\n", "\r", "\r\n": text += " "
      default: text.append(character)
      }
    }
  }
}
