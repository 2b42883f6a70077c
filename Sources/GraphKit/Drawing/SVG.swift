extension Drawing {
  /// The drawing as a picture of its own, for light and dark pages.
  public var svg: String { SVGPicture(Page(self), drawing: self).text }
}

/// A page as SVG (W3C, Scalable Vector Graphics 1.1).
struct SVGPicture {
  private let page: Page
  private let drawing: Drawing

  init(_ page: Page, drawing: Drawing) {
    self.page = page
    self.drawing = drawing
  }

  var text: String {
    let legend = SVGLegend(drawing, top: page.height)
    let width = max(page.width, legend.width, 160)
    let height = page.height + legend.height
    // The name of a frame is above what the page's margin has room for.
    let top = drawing.graphs.isEmpty ? 0.0 : 24
    let size = "width=\"\(width.svg)\" height=\"\((height + top).svg)\""
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) "
        + "viewBox=\"0 \((-top).svg) \(width.svg) \((height + top).svg)\" role=\"img\">",
      "<style>", SVGStyle.text, "</style>",
      "<rect class=\"page\"\(top > 0 ? " y=\"\((-top).svg)\"" : "") width=\"100%\" height=\"100%\"/>",
    ]
    lines += drawing.graphs.map(frame)
    lines += drawing.stages.map { stage($0.number, Set($0.nodes.map(\.name))) }
    lines += page.wires.map { SVGWire($0, captions: drawing.captions(of: $0.line)).text }
    lines += page.boxes.map { SVGBox($0).text }
    lines.append(legend.text)
    return (lines.filter { !$0.isEmpty } + ["</svg>", ""]).joined(separator: "\n")
  }

  /// A stage's soft ground, along the calls in it.
  private func stage(_ number: Int, _ names: Set<String>) -> String {
    let shapes = ground(of: names, margin: 10) { $0.crossing == .call }
    return "<g class=\"stage\"><title>stage \(number)</title>\(shapes)</g>"
  }

  /// An opened graph's ground with an edge, along all wires in it, and its name at the top.
  private func frame(_ frame: Drawing.Frame) -> String {
    let names = Set(drawing.nodes.filter { drawing.isWithin($0.graph, frame.name) }.map(\.name))
    let boxes = page.boxes.filter { names.contains($0.box.name) }
    // What is within another has a smaller ground on top of that.
    let margin = 14.0 + 6 * Double(drawing.depth(below: frame.name))
    guard let first = boxes.min(by: { ($0.origin.x, $0.origin.y) < ($1.origin.x, $1.origin.y) })
    else { return "" }
    let (x, y) = (first.origin.x - margin + 6, first.origin.y - margin - 4)
    let layers = [("edge", margin + 1.5), ("inside", margin)].map { style, margin in
      "<g class=\"\(style)\" stroke-width=\"\((2 * margin + 16).svg)\">"
        + ground(of: names, margin: margin) { _ in true } + "</g>"
    }
    return "<g class=\"frame\"><title>\("\(frame.name): \(frame.file)".xmlEscaped)</title>"
      + layers.joined() + "<text class=\"frameName\" x=\"\(x.svg)\" y=\"\(y.svg)\">"
      + "\(frame.heading.xmlEscaped)</text></g>"
  }

  /// Boxes, a little larger, joined along some of the wires between them.
  private func ground(
    of names: Set<String>, margin: Double, along isJoined: (Drawing.Line) -> Bool
  ) -> String {
    let boxes = page.boxes.filter { names.contains($0.box.name) }
    let joining = page.wires.filter {
      isJoined($0.line) && names.contains($0.line.from.node) && names.contains($0.line.to.node)
    }
    let grounds = boxes.map { box in
      let (x, y) = (box.origin.x - margin, box.origin.y - margin)
      let (width, height) = (box.shape.width + 2 * margin, box.shape.height + 2 * margin)
      return "<rect x=\"\(x.svg)\" y=\"\(y.svg)\" width=\"\(width.svg)\" "
        + "height=\"\(height.svg)\" rx=\"14\"/>"
    }
    return (joining.map { "<path d=\"\(SVGWire.path($0))\"/>" } + grounds).joined()
  }
}

extension Drawing {
  /// Whether an opened graph is another, or within it.
  fileprivate func isWithin(_ graph: String?, _ other: String) -> Bool {
    var graph = graph
    while let name = graph {
      if name == other { return true }
      graph = graphs.first { $0.name == name }?.parent
    }
    return false
  }

  /// How many opened graphs are within each other in one.
  fileprivate func depth(below graph: String) -> Int {
    graphs.filter { $0.parent == graph }.map { depth(below: $0.name) + 1 }.max() ?? 0
  }
}

extension Double {
  /// The number without needless decimals.
  var svg: String {
    let tenths = (self * 10).rounded() / 10
    return tenths == tenths.rounded() && abs(tenths) < 1e9 ? "\(Int(tenths))" : "\(tenths)"
  }
}

extension String {
  /// The text as XML takes it, in elements and attributes (XML 1.0, sections 2.2 and 2.4).
  var xmlEscaped: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      case "\t", "\n", "\r": text += " "
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
