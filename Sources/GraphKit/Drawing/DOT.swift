extension Drawing {
  /// The drawing in the language of Graphviz.
  public var dot: String {
    var lines = [
      "digraph {", "  rankdir=LR;",
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\"];",
      "  edge [fontname=\"Helvetica\", fontsize=10];",
    ]
    lines += dotNodes(in: nil, indent: "  ")
    lines += wires.map { "  " + dotWire($0) }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  /// The nodes of an opened graph, or of the drawing, with what is framed there.
  private func dotNodes(in graph: String?, indent: String) -> [String] {
    var lines = nodes.filter { $0.graph == graph && !isGrouped($0) }.map { indent + dotNode($0) }
    for stage in stages(in: graph) {
      let name = graph.map { "\"cluster_\(stage.number) \($0.dotEscaped)\"" }
      lines += [
        "\(indent)subgraph \(name ?? "cluster_\(stage.number)") {",
        "\(indent)  label=\"stage \(stage.number)\"; style=\"rounded,dashed\";",
      ]
      lines += stage.nodes.map { "\(indent)  \(dotNode($0))" } + ["\(indent)}"]
    }
    for frame in graphs where frame.parent == graph {
      lines += [
        "\(indent)subgraph \"cluster \(frame.name.dotEscaped)\" {",
        "\(indent)  label=\"\(frame.heading.dotEscaped)\"; style=rounded; color=\"#7a7266\";",
      ]
      lines += dotNodes(in: frame.name, indent: indent + "  ") + ["\(indent)}"]
    }
    return lines
  }

  private func dotNode(_ node: Box) -> String {
    let label = [node.heading, node.subheading].map(\.dotEscaped).joined(separator: "\\n")
    var style = node.isInserted ? ", style=\"rounded,filled,dashed\"" : ""
    if node.isGraph { style = ", style=filled, shape=folder" }
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
  var stages: [(number: Int, nodes: [Box])] { Self.stages(of: nodes) }

  /// The stages of more than one node among the nodes of an opened graph, by number.
  func stages(in graph: String?) -> [(number: Int, nodes: [Box])] {
    Self.stages(of: nodes.filter { $0.graph == graph })
  }

  private static func stages(of nodes: [Box]) -> [(number: Int, nodes: [Box])] {
    Dictionary(grouping: nodes.filter { $0.stage != nil }) { $0.stage! }
      .filter { $1.count > 1 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether the node shares its stage with another of the same graph.
  func isGrouped(_ node: Box) -> Bool {
    node.stage != nil
      && nodes.contains {
        $0.stage == node.stage && $0.graph == node.graph && $0.name != node.name
      }
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
