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
    let size = "width=\"\(width.svg)\" height=\"\(height.svg)\""
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) "
        + "viewBox=\"0 0 \(width.svg) \(height.svg)\" role=\"img\">",
      "<style>", SVGStyle.text, "</style>",
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>",
    ]
    lines += drawing.stages.map { stage($0.number, Set($0.nodes.map(\.name))) }
    lines += page.wires.map { SVGWire($0, captions: drawing.captions(of: $0.line)).text }
    lines += page.boxes.map { SVGBox($0).text }
    lines.append(legend.text)
    return (lines.filter { !$0.isEmpty } + ["</svg>", ""]).joined(separator: "\n")
  }

  /// A stage's soft ground: its boxes, a little larger, joined along the calls between them.
  private func stage(_ number: Int, _ names: Set<String>) -> String {
    let boxes = page.boxes.filter { names.contains($0.box.name) }
    let calls = page.wires.filter {
      $0.line.crossing == .call && names.contains($0.line.from.node)
        && names.contains($0.line.to.node)
    }
    let grounds = boxes.map { box in
      let (x, y) = (box.origin.x - 10, box.origin.y - 10)
      return "<rect x=\"\(x.svg)\" y=\"\(y.svg)\" width=\"\((box.shape.width + 20).svg)\" "
        + "height=\"\((box.shape.height + 20).svg)\" rx=\"14\"/>"
    }
    let bands = calls.map { "<path d=\"\(SVGWire.path($0))\"/>" }
    let shapes = (bands + grounds).joined()
    return "<g class=\"stage\"><title>stage \(number)</title>\(shapes)</g>"
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
