/// One node as SVG.
struct SVGBox {
  private let placed: Page.PlacedBox

  init(_ placed: Page.PlacedBox) { self.placed = placed }

  var text: String {
    let box = placed.box
    let inserted = box.isInserted ? " inserted" : ""
    return "<g class=\"node \(box.role.rawValue)\(inserted)\"><title>\(title.xmlEscaped)</title>"
      + frame + heading + ports(box.inputs, placed.shape.inputs, isInput: true)
      + ports(box.outputs, placed.shape.outputs, isInput: false) + "</g>"
  }

  private var title: String {
    let parameters = placed.box.parameters.sorted { $0.key < $1.key }.map {
      "\($0.key): \($0.value)"
    }
    return (["\(placed.box.name): \(placed.box.type)"] + parameters).joined(separator: "\n")
  }

  /// The box itself; that of a graph has another under it.
  private var frame: String { (placed.box.isGraph ? frame(shift: 5) : "") + frame(shift: 0) }

  private func frame(shift: Double) -> String {
    let (x, y) = (placed.origin.x + shift, placed.origin.y + shift)
    return "<rect class=\"box\" x=\"\(x.svg)\" y=\"\(y.svg)\" width=\"\(placed.shape.width.svg)\" "
      + "height=\"\(placed.shape.height.svg)\" rx=\"9\"/>"
  }

  private var heading: String {
    let x = placed.origin.x + placed.shape.width / 2
    return "<text class=\"name\" x=\"\(x.svg)\" y=\"\((placed.origin.y + 20).svg)\">"
      + "\(placed.box.heading.xmlEscaped)</text>"
      + "<text class=\"type\" x=\"\(x.svg)\" y=\"\((placed.origin.y + 36).svg)\">"
      + "\(placed.box.subheading.xmlEscaped)</text>"
  }

  private func ports(_ names: [String], _ heights: [String: Double], isInput: Bool) -> String {
    let x = placed.origin.x + (isInput ? 0 : placed.shape.width)
    return names.map { name in
      let y = placed.origin.y + (heights[name] ?? 0)
      let dot =
        isInput ? "" : "<circle class=\"port\" cx=\"\(x.svg)\" cy=\"\(y.svg)\" r=\"3.5\"/>"
      guard names.count > 1 else { return dot }
      let (side, inset) = isInput ? ("left", 10.0) : ("right", -10.0)
      return dot
        + "<text class=\"portName \(side)\" x=\"\((x + inset).svg)\" y=\"\((y + 3.5).svg)\">"
        + "\(name.xmlEscaped)</text>"
    }.joined()
  }
}
