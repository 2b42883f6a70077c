/// Orders each column so that few wires cross: sweeps to and fro, each vertex to the middle of
/// its neighbours, and the best order seen is kept.
struct Ordering {
  private var layers: Layers
  /// Where a piece of a wire meets each of its ends, as a part of the vertex's height.
  private let anchors: [(from: Double, to: Double)]
  private let leftward: [[Int]]
  private let rightward: [[Int]]

  static func apply(to layers: Layers, anchors: [(from: Double, to: Double)]) -> Layers {
    var ordering = Ordering(layers, anchors: anchors)
    return ordering.best()
  }

  private init(_ layers: Layers, anchors: [(from: Double, to: Double)]) {
    self.layers = layers
    self.anchors = anchors
    (leftward, rightward) = (layers.leftward, layers.rightward)
  }

  private mutating func best() -> Layers {
    var best = (crossings: crossings(), layers: layers)
    for sweep in 0..<16 where best.crossings > 0 || sweep < 2 {
      let columns = Array(layers.columns.indices)
      for column in sweep.isMultiple(of: 2) ? columns : columns.reversed() {
        arrange(column, by: sweep.isMultiple(of: 2) ? leftward : rightward)
      }
      let count = crossings()
      if count < best.crossings { best = (count, layers) }
    }
    return best.layers
  }

  private mutating func arrange(_ column: Int, by neighbours: [[Int]]) {
    let ranks = ranks()
    let order = layers.columns[column].enumerated().map { place, vertex in
      let pulls = neighbours[vertex].map { piece in
        let ends = layers.pieces[piece]
        return ends.from == vertex
          ? ranks[ends.to] + anchors[piece].to : ranks[ends.from] + anchors[piece].from
      }
      let middle = pulls.isEmpty ? Double(place) : pulls.reduce(0, +) / Double(pulls.count)
      return (vertex, middle, place)
    }
    layers.columns[column] = order.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
  }

  private func ranks() -> [Double] {
    var ranks = Array(repeating: 0.0, count: layers.vertices.count)
    for column in layers.columns {
      for (rank, vertex) in column.enumerated() { ranks[vertex] = Double(rank) }
    }
    return ranks
  }

  private func crossings() -> Int {
    let ranks = ranks()
    var total = 0
    for column in layers.columns {
      let ends = column.flatMap { rightward[$0] }.map { piece in
        (
          ranks[layers.pieces[piece].from] + anchors[piece].from,
          ranks[layers.pieces[piece].to] + anchors[piece].to
        )
      }.sorted { $0 < $1 }
      for (number, end) in ends.enumerated() {
        total += ends[..<number].count { $0.0 < end.0 && $0.1 > end.1 }
      }
    }
    return total
  }
}
