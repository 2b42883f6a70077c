/// Gives every vertex its height on the page: as near to its neighbours' as the order within
/// its column and the room between boxes allow.
struct Heights {
  private let layers: Layers
  private let sizes: [Double]
  /// Where a piece of a wire meets its ends, below the top of each.
  private let anchors: [(from: Double, to: Double)]
  private let leftward: [[Int]]
  private let rightward: [[Int]]
  private var tops: [Double]

  /// The least room between two boxes; wires that pass by need less.
  private static let boxGap = 36.0
  private static let bendGap = 20.0

  static func of(
    _ layers: Layers, sizes: [Double], anchors: [(from: Double, to: Double)]
  ) -> [Double] {
    var heights = Heights(layers, sizes: sizes, anchors: anchors)
    // The last sweep goes rightward, so that each chain runs straight on from where it begins.
    for sweep in 0..<13 { heights.sweep(rightward: sweep.isMultiple(of: 2)) }
    let top = heights.tops.min() ?? 0
    return heights.tops.map { ($0 - top).rounded() }
  }

  private init(_ layers: Layers, sizes: [Double], anchors: [(from: Double, to: Double)]) {
    (self.layers, self.sizes, self.anchors) = (layers, sizes, anchors)
    (leftward, rightward) = (layers.leftward, layers.rightward)
    tops = Array(repeating: 0, count: sizes.count)
    for column in layers.columns {
      place(column, wanted: column.map { _ in 0 }, weights: column.map { _ in 1 })
    }
  }

  private mutating func sweep(rightward: Bool) {
    let columns = Array(layers.columns.indices)
    for column in rightward ? columns : columns.reversed() {
      let vertices = layers.columns[column]
      var (wanted, weights) = ([Double](), [Double]())
      for vertex in vertices {
        let (sum, weight) = pull(on: vertex, rightward: rightward)
        wanted.append(weight > 0 ? sum / weight : tops[vertex])
        weights.append(weight > 0 ? weight : 0.1)
      }
      place(vertices, wanted: wanted, weights: weights)
    }
  }

  /// Where the neighbours on one side would have the vertex.
  private func pull(on vertex: Int, rightward: Bool) -> (Double, Double) {
    var (sum, total) = (0.0, 0.0)
    for number in rightward ? leftward[vertex] : self.rightward[vertex] {
      let piece = layers.pieces[number]
      let (other, own, theirs) =
        rightward
        ? (piece.from, anchors[number].to, anchors[number].from)
        : (piece.to, anchors[number].from, anchors[number].to)
      // A long wire that runs straight is worth more than a short one.
      let bends = [vertex, other].count { layers.vertices[$0].box == nil }
      let weight = [1.0, 2, 8][bends]
      sum += weight * (tops[other] + theirs - own)
      total += weight
    }
    return (sum, total)
  }

  /// The heights nearest to those wanted, by least squares, that keep order and room: blocks of
  /// vertices that touch move as one.
  private mutating func place(_ column: [Int], wanted: [Double], weights: [Double]) {
    var blocks: [(sum: Double, weight: Double, count: Int)] = []
    var offsets: [Double] = []
    for (index, vertex) in column.enumerated() {
      let room = index == 0 ? 0 : sizes[column[index - 1]] + gap(column[index - 1], vertex)
      offsets.append((offsets.last ?? 0) + room)
      var block = (
        sum: (wanted[index] - offsets[index]) * weights[index], weight: weights[index], count: 1
      )
      while let last = blocks.last, last.sum / last.weight > block.sum / block.weight {
        block = (last.sum + block.sum, last.weight + block.weight, last.count + block.count)
        blocks.removeLast()
      }
      blocks.append(block)
    }
    var index = 0
    for block in blocks {
      for _ in 0..<block.count {
        tops[column[index]] = block.sum / block.weight + offsets[index]
        index += 1
      }
    }
  }

  private func gap(_ a: Int, _ b: Int) -> Double {
    [a, b].allSatisfy { layers.vertices[$0].box != nil } ? Self.boxGap : Self.bendGap
  }
}
