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
    let ends = drawing.wires.map { (numbers[$0.from.node], numbers[$0.to.node]) }
    let layers = Self.longestPaths(count: drawing.nodes.count, ends: ends)
    vertices = layers.enumerated().map { Vertex(layer: $1, box: $0) }
    columns = Array(repeating: [], count: (layers.max() ?? -1) + 1)
    for (box, layer) in layers.enumerated() { columns[layer].append(box) }
    for (wire, ends) in ends.enumerated() {
      guard let from = ends.0, let to = ends.1 else {
        routes.append([])
        continue
      }
      route(wire, from: from, to: to)
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
  private static func longestPaths(count: Int, ends: [(Int?, Int?)]) -> [Int] {
    var (layers, open) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
    var next = Array(repeating: [Int](), count: count)
    for case (let from?, let to?) in ends {
      next[from].append(to)
      open[to] += 1
    }
    var ready = open.indices.filter { open[$0] == 0 }
    while let box = ready.popLast() {
      for to in next[box] {
        layers[to] = max(layers[to], layers[box] + 1)
        open[to] -= 1
        if open[to] == 0 { ready.append(to) }
      }
    }
    return layers
  }
}
