/// A drawing cut into columns. A wire that passes columns by has a bend in each, so that every
/// piece of a wire joins neighbouring columns.
struct Layers {
  /// An entry of a column: a box, or a bend of a wire.
  struct Vertex {
    let layer: Int
    /// The box's number; `nil` for a bend.
    let box: Int?
  }

  /// A piece of a wire.
  struct Piece {
    let from: Int
    let to: Int
    let wire: Int
  }

  private(set) var vertices: [Vertex]
  private(set) var pieces: [Piece] = []
  /// For each wire the vertices that it goes through.
  private(set) var routes: [[Int]] = []
  /// The vertices of each column, top to bottom.
  var columns: [[Int]]

  init(_ drawing: Drawing) {
    let numbers = Dictionary(
      drawing.nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let ends = drawing.wires.map { wire in
      numbers[wire.from.node].flatMap { from in numbers[wire.to.node].map { (from, $0) } }
    }
    let layers = Self.longestPaths(Topology(nodeCount: drawing.nodes.count, wires: ends))
    vertices = layers.enumerated().map { Vertex(layer: $1, box: $0) }
    columns = Array(repeating: [], count: (layers.max() ?? -1) + 1)
    for (box, layer) in layers.enumerated() { columns[layer].append(box) }
    for (wire, ends) in ends.enumerated() {
      guard let ends else {
        routes.append([])
        continue
      }
      route(wire, from: ends.0, to: ends.1)
    }
  }

  /// For each vertex the pieces that come to it.
  var leftward: [[Int]] { neighbours(\.to) }
  /// For each vertex the pieces that go from it.
  var rightward: [[Int]] { neighbours(\.from) }

  private func neighbours(_ end: KeyPath<Piece, Int>) -> [[Int]] {
    var found = Array(repeating: [Int](), count: vertices.count)
    for (number, piece) in pieces.enumerated() { found[piece[keyPath: end]].append(number) }
    return found
  }

  private mutating func route(_ wire: Int, from: Int, to: Int) {
    var route = [from]
    for layer in stride(from: vertices[from].layer + 1, to: vertices[to].layer, by: 1) {
      vertices.append(Vertex(layer: layer, box: nil))
      columns[layer].append(vertices.count - 1)
      route.append(vertices.count - 1)
    }
    route.append(to)
    routes.append(route)
    for (a, b) in zip(route, route.dropFirst()) where vertices[a].layer < vertices[b].layer {
      pieces.append(Piece(from: a, to: b, wire: wire))
    }
  }

  /// Each box one column after the last of those that lead to it.
  private static func longestPaths(_ topology: Topology) -> [Int] {
    var layers = Array(repeating: 0, count: topology.incoming.count)
    for box in topology.order {
      for wire in topology.outgoing[box] {
        let target = topology.target(of: wire)
        layers[target] = max(layers[target], layers[box] + 1)
      }
    }
    return layers
  }
}
