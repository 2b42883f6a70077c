/// One wire with its label as SVG.
struct SVGWire {
  private let wire: Page.PlacedWire
  private let captions: [String]

  init(_ wire: Page.PlacedWire, captions: [String]) {
    self.wire = wire
    self.captions = captions
  }

  var text: String {
    let title = (["\(wire.line.from) -> \(wire.line.to)"] + captions).filter { !$0.isEmpty }
    let line = "<path class=\"line\" d=\"\(Self.path(wire))\"/>"
    return "<g class=\"wire \(wire.line.kind.rawValue)\">"
      + "<title>\(title.joined(separator: "\n").xmlEscaped)</title>\(line)\(arrow)\(badge)"
      + "\(label(0, below: false))\(captions.count > 1 ? label(1, below: true) : "")</g>"
  }

  static func path(_ wire: Page.PlacedWire) -> String {
    var path = "M\(wire.start.x.svg) \(wire.start.y.svg)"
    for (from, to) in wire.curves {
      let middle = (from.x + to.x) / 2
      path += "H\(from.x.svg)"
      path +=
        from.y == to.y
        ? "H\(to.x.svg)"
        : "C\(middle.svg) \(from.y.svg) \(middle.svg) \(to.y.svg) \(to.x.svg) \(to.y.svg)"
    }
    return path + "H\((wire.end.x - 6).svg)"
  }

  private var arrow: String {
    let (x, y) = (wire.end.x - 1, wire.end.y)
    return "<path class=\"tip\" d=\"M\(x.svg) \(y.svg)l-8 -4.5v9z\"/>"
  }

  /// A queue: three bars in a frame, on the wire.
  private var badge: String {
    guard case .queue(_, let drops) = wire.line.crossing else { return "" }
    let (x, y) = (wire.label.x, wire.label.y)
    let bars = [4.0, 8, 12].map { "M\((x + $0).svg) \((y - 3.5).svg)v7" }.joined()
    return "<g class=\"queue\(drops ? " drops" : "")\">"
      + "<rect x=\"\(x.svg)\" y=\"\((y - 7).svg)\" width=\"16\" height=\"14\" rx=\"4\"/>"
      + "<path d=\"\(bars)\"/></g>"
  }

  private func label(_ number: Int, below: Bool) -> String {
    guard !captions[number].isEmpty else { return "" }
    let x = wire.label.x + (captions.count > 1 ? 22 : 6)
    let y = wire.label.y + (below ? 13 : -6)
    let style = below ? "caption bound" : "caption"
    return "<text class=\"\(style)\" x=\"\(x.svg)\" y=\"\(y.svg)\">"
      + "\(captions[number].xmlEscaped)</text>"
  }
}
