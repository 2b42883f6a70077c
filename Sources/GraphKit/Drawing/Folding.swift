/// Which of the graphs that are nodes are drawn with the nodes that they have.
public enum OpenedGraphs: Sendable, Hashable {
  /// Those of some names, and what they are within.
  case named(Set<String>)
  /// All of them.
  case all
}

extension Drawing {
  /// The drawing with each node that is a graph as one box, or, where it is opened, with its nodes
  /// in a frame.
  public func folded(_ graph: Graph, opening opened: OpenedGraphs = .named([])) -> Drawing {
    let folding = Folding(graph.includedGraphs, opened, self)
    return folding.drawing
  }
}

/// Puts boxes together that belong to one graph.
private struct Folding {
  private let files: [String: String]
  private let opened: OpenedGraphs
  private let original: Drawing
  /// For each box the graphs that it is within, the outermost first.
  private let paths: [String: [String]]

  init(_ files: [String: String], _ opened: OpenedGraphs, _ drawing: Drawing) {
    (self.files, self.opened, original) = (files, opened, drawing)
    let names = files.keys.sorted { $0.count < $1.count }
    var paths: [String: [String]] = [:]
    for node in drawing.nodes where !node.isInserted {
      paths[node.name] = names.filter { node.name.hasPrefix($0 + "/") }
    }
    for node in drawing.nodes where node.isInserted {
      paths[node.name] = Self.common(drawing.surroundings(of: node.name).map { paths[$0] ?? [] })
    }
    self.paths = paths
  }

  /// What all of some paths begin with.
  private static func common(_ paths: [[String]]) -> [String] {
    guard var shared = paths.first else { return [] }
    for path in paths { shared = zip(shared, path).prefix { $0 == $1 }.map(\.0) }
    return shared
  }

  var drawing: Drawing {
    var drawing = original
    (drawing.nodes, drawing.wires) = ([], [])
    for node in original.nodes {
      guard let closed = closedGraph(of: node.name) else {
        var node = node
        node.graph = paths[node.name]?.last
        drawing.nodes.append(node)
        continue
      }
      if let index = drawing.nodes.firstIndex(where: { $0.name == closed }) {
        drawing.nodes[index].parameters.merge(contents(node, of: closed)) { first, _ in first }
      } else {
        drawing.nodes.append(box(of: closed, with: node))
      }
    }
    for wire in original.wires { drawing.add(moved(wire)) }
    let shown = Set(drawing.nodes.compactMap { $0.graph }.flatMap { path(of: $0) })
    drawing.graphs = shown.sorted().map {
      Drawing.Frame(name: $0, file: files[$0] ?? "", parent: path(of: $0).dropLast().last)
    }
    return drawing
  }

  /// The outermost graph around a node that isn't opened.
  private func closedGraph(of node: String) -> String? {
    paths[node]?.first { !isOpened($0) }
  }

  private func isOpened(_ graph: String) -> Bool {
    switch opened {
    case .all: true
    case .named(let names): names.contains { $0 == graph || $0.hasPrefix(graph + "/") }
    }
  }

  /// A graph and those that it is within, the outermost first.
  private func path(of graph: String) -> [String] {
    files.keys.filter { graph == $0 || graph.hasPrefix($0 + "/") }.sorted { $0.count < $1.count }
  }

  private func box(of graph: String, with first: Drawing.Box) -> Drawing.Box {
    Drawing.Box(
      name: graph, type: files[graph].map(PathPart.name.of) ?? "graph", role: .general,
      parameters: contents(first, of: graph), inputs: [], outputs: [], isGraph: true,
      graph: path(of: graph).dropLast().last)
  }

  /// What a box says of a node that it has.
  private func contents(_ node: Drawing.Box, of graph: String) -> [String: String] {
    node.isInserted ? [:] : [String(node.name.dropFirst(graph.count + 1)): node.type]
  }

  /// A wire with its ends at the boxes that are drawn; a port of a graph is called as the node
  /// that it leads to, with that node's port where it has several.
  private func moved(_ wire: Drawing.Line) -> Drawing.Line {
    var wire = wire
    wire.from = moved(wire.from) { $0.outputs }
    wire.to = moved(wire.to) { $0.inputs }
    return wire
  }

  private func moved(
    _ end: PortReference, _ ports: (Drawing.Box) -> [String]
  ) -> PortReference {
    guard let graph = closedGraph(of: end.node) else { return end }
    let hasSeveral = (original.node(end).map(ports) ?? []).count > 1
    let isWithin = end.node.hasPrefix(graph + "/")
    let inner = isWithin ? String(end.node.dropFirst(graph.count + 1)) : end.node
    return PortReference(graph, hasSeveral ? "\(inner).\(end.port)" : inner)
  }
}

extension Drawing {
  /// The nodes of the graph that an inserted node is between.
  fileprivate func surroundings(of inserted: String) -> [String] {
    var (found, seen, pending) = ([String](), Set([inserted]), [inserted])
    while let name = pending.popLast() {
      for wire in wires where wire.from.node == name || wire.to.node == name {
        let other = wire.from.node == name ? wire.to : wire.from
        guard seen.insert(other.node).inserted, let box = node(other) else { continue }
        if box.isInserted { pending.append(box.name) } else { found.append(box.name) }
      }
    }
    return found
  }

  /// Adds a wire, and its ports to boxes of graphs; none within one box.
  fileprivate mutating func add(_ wire: Line) {
    guard wire.from.node != wire.to.node else { return }
    for index in nodes.indices where nodes[index].isGraph {
      if nodes[index].name == wire.from.node, !nodes[index].outputs.contains(wire.from.port) {
        nodes[index].outputs.append(wire.from.port)
      }
      if nodes[index].name == wire.to.node, !nodes[index].inputs.contains(wire.to.port) {
        nodes[index].inputs.append(wire.to.port)
      }
    }
    wires.append(wire)
  }
}
