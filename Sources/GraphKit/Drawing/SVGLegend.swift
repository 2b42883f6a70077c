/// What the colours and signs of a picture mean: only those that are in it.
struct SVGLegend {
  private let entries: [(sign: (Double, Double) -> String, text: String)]
  private let top: Double

  static let size = 10.0

  init(_ drawing: Drawing, top: Double) {
    self.top = top
    let roles = NodeRole.allCases.filter { role in drawing.nodes.contains { $0.role == role } }
    var entries = roles.map { role in (Self.swatch(role.rawValue), role.rawValue) }
    if drawing.nodes.contains(where: \.isInserted) {
      entries.append((Self.swatch("converter", dash: " stroke-dasharray=\"3 2\""), "inserted"))
    }
    if !drawing.stages.isEmpty { entries.append((Self.stage, "one thread, in Swift")) }
    if drawing.wires.contains(where: \.isQueue) { entries.append((Self.queue, "queue")) }
    self.entries = entries
  }

  var height: Double { entries.isEmpty ? 0 : 30 }

  var width: Double {
    entries.reduce(Page.margin * 2) { $0 + Self.advance($1.text) }
  }

  var text: String {
    var x = Page.margin
    let y = top + 8
    return entries.map { entry in
      defer { x += Self.advance(entry.text) }
      return entry.sign(x, y) + "<text class=\"legend\" x=\"\((x + 20).svg)\" y=\"\(y.svg)\">"
        + "\(entry.text)</text>"
    }.joined(separator: "\n")
  }

  private static func advance(_ text: String) -> Double {
    TextWidth.of(text, size: size) + 40
  }

  private static func swatch(
    _ style: String, dash: String = ""
  ) -> (Double, Double) -> String {
    { x, y in
      "<g class=\"\(style)\"><rect class=\"swatch\" x=\"\(x.svg)\" "
        + "y=\"\((y - 9).svg)\" width=\"14\" height=\"11\" rx=\"3\"\(dash)/></g>"
    }
  }

  private static func stage(_ x: Double, _ y: Double) -> String {
    let place = "x=\"\(x.svg)\" y=\"\((y - 9).svg)\""
    return "<g class=\"stage\"><rect \(place) width=\"14\" height=\"11\" rx=\"3\"/></g>"
  }

  private static func queue(_ x: Double, _ y: Double) -> String {
    let bars = [4.0, 8, 12].map { "M\((x + $0).svg) \((y - 6.5).svg)v6" }.joined()
    return "<g class=\"queue\"><rect x=\"\(x.svg)\" y=\"\((y - 10).svg)\" width=\"16\" "
      + "height=\"13\" rx=\"4\"/><path d=\"\(bars)\"/></g>"
  }
}

extension Drawing.Line {
  /// Whether a queue is on the wire.
  var isQueue: Bool {
    if case .queue = crossing { true } else { false }
  }
}
