extension Graph {
  /// The graph as a document: what ``init(checking:catalog:environment:set:)`` makes an equal graph
  /// of. Neighbouring wires become one row, and ports are named where a node has several.
  public var document: GraphDocument {
    var document = GraphDocument()
    document.nodes = nodes.map(\.entry)
    document.whenSlow = whenSlow?.map { JSONTree(value: $0.json.escaped) }
    let plain = plainPorts
    document.wires = rows(plain).map { row in
      let ports = [row[0].from] + row.map(\.to)
      return GraphDocument.Wire(
        ends: ports.map { .init(node: $0.node, port: plain.contains($0) ? nil : $0.port) })
    }
    return document
  }

  /// The wires, joined into rows wherever a node can be in the middle of one without its ports.
  private func rows(_ plain: Set<PortReference>) -> [[GraphWire]] {
    var leaving = Dictionary(grouping: wires.indices.reversed(), by: { wires[$0].from.node })
    let entered = Set(wires.filter { plain.contains($0.to) }.map(\.to.node))
    var isUsed = Array(repeating: false, count: wires.count)
    var rows: [[GraphWire]] = []
    // Rows start where nothing enters; wires that no such row takes start one of their own.
    let starts = wires.indices.filter { !entered.contains(wires[$0].from.node) }
    for start in starts + Array(wires.indices) where !isUsed[start] {
      var row: [GraphWire] = []
      var following: Int? = start
      while let index = following {
        isUsed[index] = true
        row.append(wires[index])
        following = nil
        guard plain.contains(wires[index].to) else { break }
        while let next = leaving[wires[index].to.node]?.popLast() {
          guard !isUsed[next], plain.contains(wires[next].from) else { continue }
          following = next
          break
        }
      }
      rows.append(row)
    }
    return rows
  }

  /// The ports that go without saying: each is its node's only one of its direction.
  private var plainPorts: Set<PortReference> {
    var plain: Set<PortReference> = []
    for node in nodes {
      let declared = Dictionary(grouping: node.node.portDeclarations, by: \.direction)
      for ports in declared.values where ports.count == 1 && !ports[0].isRepeatable {
        plain.insert(PortReference(node.name, ports[0].name))
      }
    }
    return plain
  }
}

extension GraphNode {
  fileprivate var entry: GraphDocument.NodeEntry {
    let order = type.parameters.map(\.name)
    let names = order.filter { parameters[$0] != nil }
    return GraphDocument.NodeEntry(
      name: Located(name), type: Located(type.name),
      fields: names.map { name in
        JSONTree.Member(key: Located(name), value: JSONTree(value: parameters[name]!.escaped))
      })
  }
}

extension JSONValue {
  /// The value with every `${` in its texts escaped, so that reading it puts nothing there.
  fileprivate var escaped: JSONValue {
    switch self {
    case .string(let text): .string(ReferenceText.escaping(text))
    case .array(let items): .array(items.map(\.escaped))
    case .object(let fields): .object(fields.mapValues(\.escaped))
    default: self
    }
  }
}
