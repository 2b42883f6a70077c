extension Plan: CustomStringConvertible {
  /// The plan as tables: stages, nodes, and wires with what passes and how it gets across. Those of the
  /// first of two passes follow.
  public var description: String {
    let tables = [stageTable, nodeTable, wireTable, stepTable]
    let first = firstPasses.map { "first pass, before the run:\n\n\($0)" }
    return (tables + first).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var stageTable: String {
    let stages = Dictionary(grouping: nodes.filter { $0.stage != nil }) { $0.stage! }
    let calls = wires.filter { $0.lowering == .call }
    let called = Set(calls.map(\.to.node))
    let callees = Dictionary(grouping: calls, by: \.from.node).mapValues { $0.map(\.to.node) }
    let rows = stages.sorted { $0.key < $1.key }.map { number, nodes in
      let first = nodes.map(\.name).filter { !called.contains($0) }
      return ["\(number)", callOrder(first, callees).joined(separator: ", ")]
    }
    return Self.table(["stage", "nodes"], rows)
  }

  /// The stage's nodes, each after the one that calls it.
  private func callOrder(_ first: [String], _ callees: [String: [String]]) -> [String] {
    var (order, next) = (first, 0)
    while next < order.count {
      order += callees[order[next]] ?? []
      next += 1
    }
    return order
  }

  private var nodeTable: String {
    let rows = nodes.map { node in
      [
        node.name, node.type.name, node.place,
        node.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.plain)" }
          .joined(separator: " "),
      ]
    }
    return Self.table(["node", "type", "role", "parameters"], rows)
  }

  private var wireTable: String {
    let rows = wires.map { wire in
      ["\(wire.from) -> \(wire.to)", wire.format.description, wire.lowering.description]
    }
    return Self.table(["wire", "format", "crossing"], rows)
  }

  private var stepTable: String {
    let rows = steps.enumerated().map { ["\($0.offset + 1)", $0.element.description] }
    return Self.table(["step", "when it can't keep up"], rows)
  }

  /// Rows under a heading, with columns as wide as their widest cell.
  static func table(_ heading: [String], _ rows: [[String]]) -> String {
    guard !rows.isEmpty else { return "" }
    let widths = heading.indices.map { column in
      ([heading] + rows).map { $0[column].count }.max() ?? 0
    }
    return ([heading] + rows).map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension PlanNode {
  /// What the node is in the plan.
  fileprivate var place: String {
    if let leader { return "done by \(leader)" }
    return isInserted ? "inserted" : type.role.rawValue
  }
}

extension Lowering: CustomStringConvertible {
  public var description: String {
    switch self {
    case .call: "call"
    case .link: "link"
    case .queue(let policy): "queue \(policy)"
    }
  }
}

extension QueuePolicy: CustomStringConvertible {
  public var description: String {
    if keepsLatest { return "1 sample of any length and size, keeps the newest" }
    var parts = [time.shortSeconds, bytes.shortBytes, "\(samples) samples"]
    if dropsWhenNotReady { parts.append("drops when full") }
    if let firstSampleTimeout { parts.append("first within \(firstSampleTimeout.shortSeconds)") }
    return parts.joined(separator: ", ")
  }
}
