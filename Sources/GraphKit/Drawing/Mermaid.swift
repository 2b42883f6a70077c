extension Drawing {
  /// The drawing in the language of Mermaid, which Markdown pages show as a picture.
  public var mermaid: String {
    var lines = ["flowchart LR"]
    lines += mermaidNodes(in: nil, indent: "  ")
    lines += wires.map { "  " + mermaidWire($0) }
    for role in NodeRole.allCases where nodes.contains(where: { $0.role == role }) {
      let palette = Palette(role)
      lines.append(
        "  classDef \(role.rawValue)_ fill:\(palette.fill),stroke:\(palette.line),color:#1b1f24")
    }
    let inserted = nodes.indices.filter { nodes[$0].isInserted }
    lines += inserted.map { "  style n\($0) stroke-dasharray:4 3" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The nodes of an opened graph, or of the drawing, with what is framed there.
  private func mermaidNodes(in graph: String?, indent: String) -> [String] {
    var lines = nodes.filter { $0.graph == graph && !isGrouped($0) }
      .map { indent + mermaidNode($0) }
    let number = graphs.firstIndex { $0.name == graph }.map { "g\($0)" } ?? ""
    for stage in stages(in: graph) {
      lines.append("\(indent)subgraph \(number)stage\(stage.number)[\"stage \(stage.number)\"]")
      lines += stage.nodes.map { "\(indent)  \(mermaidNode($0))" } + ["\(indent)end"]
    }
    for (index, frame) in graphs.enumerated() where frame.parent == graph {
      lines.append("\(indent)subgraph g\(index)[\"\(frame.heading.mermaidEscaped)\"]")
      lines += mermaidNodes(in: frame.name, indent: indent + "  ") + ["\(indent)end"]
    }
    return lines
  }

  private func mermaidNode(_ node: Box) -> String {
    let text = "<b>\(node.heading.mermaidEscaped)</b><br>\(node.subheading.mermaidEscaped)"
    let (open, close) = node.isGraph ? ("[[", "]]") : ("(", ")")
    return "\(identifier(node.name))\(open)\"\(text)\"\(close):::\(node.role.rawValue)_"
  }

  private func mermaidWire(_ wire: Line) -> String {
    let (from, to) = (identifier(wire.from.node), identifier(wire.to.node))
    let arrow = if case .queue = wire.crossing { "==>" } else { "-->" }
    let lines = portLine(of: wire) + labelLines(of: wire)
    let label = lines.map(\.mermaidEscaped).joined(separator: "<br>")
    return label.isEmpty ? "\(from) \(arrow) \(to)" : "\(from) \(arrow)|\"\(label)\"| \(to)"
  }

  /// Which ports the wire joins, where that isn't plain.
  private func portLine(of wire: Line) -> [String] {
    let hasSeveral = (node(wire.from)?.outputs.count ?? 0, node(wire.to)?.inputs.count ?? 0)
    switch (hasSeveral.0 > 1, hasSeveral.1 > 1) {
    case (false, false): return []
    case (true, false): return ["from \(wire.from.port)"]
    case (false, true): return ["to \(wire.to.port)"]
    case (true, true): return ["\(wire.from.port) to \(wire.to.port)"]
    }
  }

  /// Names may be words of Mermaid's own, so nodes go by number.
  private func identifier(_ name: String) -> String {
    "n\(nodes.firstIndex { $0.name == name } ?? nodes.count)"
  }
}

extension String {
  fileprivate var mermaidEscaped: String {
    reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "#": text += "#35;"
      case "\n", "\r", "\r\n": text += " "
      default: text.append(character)
      }
    }
  }
}
