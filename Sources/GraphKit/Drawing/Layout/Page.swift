/// A drawing with every box, wire and label in its place.
///
/// Between two columns a wire first curves and then runs level, under its label, to the input.
/// Boxes, labels and passing wires each have their own heights there, so none covers another.
struct Page {
  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  /// A box in its place.
  struct PlacedBox {
    let box: Drawing.Box
    let shape: BoxShape
    let origin: Point
  }

  /// A wire in its place: it curves between the points of a pair, and runs level between pairs.
  struct PlacedWire {
    let line: Drawing.Line
    let curves: [(from: Point, to: Point)]
    let start: Point
    let end: Point
    /// Where the label begins.
    let label: Point
  }

  private(set) var boxes: [PlacedBox] = []
  private(set) var wires: [PlacedWire] = []
  private(set) var width = 0.0
  private(set) var height = 0.0

  static let margin = 28.0
  static let labelSize = 10.0

  private let layers: Layers
  private let shapes: [BoxShape]
  private let tops: [Double]
  private let drawing: Drawing
  private var columns: [ColumnRoom] = []

  init(_ drawing: Drawing) {
    self.drawing = drawing
    let layers = Layers(drawing)
    let shapes = Self.shapes(of: drawing, in: layers)
    let bend = 4.0
    func anchor(_ vertex: Int, _ height: (BoxShape) -> Double?) -> Double {
      layers.vertices[vertex].box.flatMap { height(shapes[$0]) } ?? bend / 2
    }
    let anchors = layers.pieces.map { piece in
      let wire = drawing.wires[piece.wire]
      return (
        from: anchor(piece.from) { $0.outputs[wire.from.port] },
        to: anchor(piece.to) { $0.inputs[wire.to.port] }
      )
    }
    let sizes = layers.vertices.map { vertex in vertex.box.map { shapes[$0].height } ?? bend }
    let parts = layers.pieces.enumerated().map { number, piece in
      (from: anchors[number].from / sizes[piece.from], to: anchors[number].to / sizes[piece.to])
    }
    self.shapes = shapes
    self.layers = Ordering.apply(to: layers, anchors: parts)
    tops = Heights.of(self.layers, sizes: sizes, anchors: anchors)
    placeColumns()
    placeBoxes()
    placeWires()
  }

  /// The boxes' shapes, all of a column with the same width.
  private static func shapes(of drawing: Drawing, in layers: Layers) -> [BoxShape] {
    var shapes = drawing.nodes.map(BoxShape.init)
    for column in layers.columns {
      let boxes = column.compactMap { layers.vertices[$0].box }
      let width = boxes.map { shapes[$0].width }.max() ?? 0
      for box in boxes { shapes[box].width = width }
    }
    return shapes
  }

  private mutating func placeColumns() {
    var x = Self.margin
    for column in layers.columns.indices {
      let room = ColumnRoom(
        left: x,
        width: layers.columns[column].compactMap { vertex in
          layers.vertices[vertex].box.map { shapes[$0].width }
        }.max() ?? 0,
        curve: curveWidth(after: column), label: labelWidth(before: column + 1))
      columns.append(room)
      x = room.nextLeft
    }
    width = (columns.last?.right ?? 0) + Self.margin
  }

  /// Steep wires need room to bend.
  private func curveWidth(after column: Int) -> Double {
    let rises = layers.pieces.filter { layers.vertices[$0.from].layer == column }.map {
      abs(tops[$0.to] - tops[$0.from])
    }
    return min(130, max(26, (rises.max() ?? 0) * 0.3))
  }

  private func labelWidth(before column: Int) -> Double {
    let widths = drawing.wires.indices.filter { wire in
      layers.routes[wire].last.map { layers.vertices[$0].layer == column } ?? false
    }.flatMap { drawing.captions(of: drawing.wires[$0]) }.map {
      TextWidth.of($0, size: Self.labelSize)
    }
    return (widths.max() ?? 0) + 40
  }

  private mutating func placeBoxes() {
    for (number, box) in drawing.nodes.enumerated() {
      let origin = Point(
        x: columns[layers.vertices[number].layer].left, y: tops[number] + Self.margin)
      boxes.append(PlacedBox(box: box, shape: shapes[number], origin: origin))
      height = max(height, origin.y + shapes[number].height + Self.margin)
    }
  }

  private mutating func placeWires() {
    for (number, line) in drawing.wires.enumerated() {
      let route = layers.routes[number]
      guard let first = route.first, let last = route.last else { continue }
      let (from, to) = (boxes[first], boxes[last])
      let start = Point(
        x: from.origin.x + from.shape.width,
        y: from.origin.y + (from.shape.outputs[line.from.port] ?? 0))
      let end = Point(x: to.origin.x, y: to.origin.y + (to.shape.inputs[line.to.port] ?? 0))
      wires.append(
        PlacedWire(
          line: line, curves: curves(along: route, from: start, to: end), start: start, end: end,
          label: Point(x: labelStart(before: last), y: end.y)))
    }
  }

  private func labelStart(before vertex: Int) -> Double {
    let layer = layers.vertices[vertex].layer
    return layer > 0 ? columns[layer - 1].labelLeft : Self.margin
  }

  private func curves(along route: [Int], from start: Point, to end: Point) -> [(Point, Point)] {
    guard route.count > 1, layers.vertices[route[0]].layer < layers.vertices[route.last!].layer
    else { return [(start, end)] }
    var (curves, y) = ([(Point, Point)](), start.y)
    for (from, to) in zip(route, route.dropFirst()) {
      let room = columns[layers.vertices[from].layer]
      let next = to == route.last ? end.y : tops[to] + Self.margin + 2
      curves.append((Point(x: room.right, y: y), Point(x: room.labelLeft, y: next)))
      y = next
    }
    return curves
  }
}

/// A column's place across the page, and that of the gap after it.
struct ColumnRoom {
  let left: Double
  let width: Double
  let curve: Double
  let label: Double

  var right: Double { left + width }
  var labelLeft: Double { right + curve }
  var nextLeft: Double { labelLeft + label }
}

extension Drawing {
  /// What stands above and below a wire.
  func captions(of wire: Line) -> [String] {
    let format = repeats(wire) ? "" : wire.format
    guard case .queue(let time, let drops) = wire.crossing else { return [format] }
    return [format, drops ? "\(time), drops" : time]
  }

  /// Whether the node that the wire leaves gets just what it gives, so that it needn't be said.
  private func repeats(_ wire: Line) -> Bool {
    wires.contains { $0.to.node == wire.from.node && $0.format == wire.format }
  }
}
