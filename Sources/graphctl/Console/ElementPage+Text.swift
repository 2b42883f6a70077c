import GraphKit

extension ElementPage {
  /// The page for a person to read.
  var text: String {
    let blocks = [
      "\(element)  (an element of GStreamer, for the node `gst`)",
      Self.block("PORTS", ports.map(\.lines)),
      Self.block("WIRES, where the node is called `\(element)`", [wires]),
      Self.block(
        "PADS THAT APPEAR WHILE IT RUNS, AND CAN'T BE WIRED: `file` reads such streams of a file, "
          + "`pipe` of a pipe, and `decoder` decodes packets", laterPads.map(\.lines)),
      Self.block("PROPERTIES", properties.map(\.lines)),
    ]
    return blocks.compactMap(\.self).joined(separator: "\n\n")
  }

  private static func block(_ title: String, _ lines: [String]) -> String? {
    let lines = lines.filter { !$0.isEmpty }
    return lines.isEmpty ? nil : ([title] + lines).joined(separator: "\n")
  }

  /// How each port is written in a wire.
  private var wires: String {
    let rows = ports.map { port -> [String] in
      let isAlone = ports.count { $0.direction == port.direction } == 1
      let end = isAlone ? element : "\(element).\(port.name)"
      guard port.direction == .input else { return ["\(end) -> NEXT", ""] }
      let more = "\(element).\(port.name)"
      return [
        "BEFORE -> \(end)", port.isRepeatable ? "and for more: \(more).2, \(more).3" : "",
      ]
    }
    return rows.isEmpty ? "" : Table.text(rows, indent: 2)
  }
}

extension ElementPage.Port {
  fileprivate var lines: String {
    let number = isRepeatable ? "any number" : isRequired ? "" : "optional"
    let made = isRequired ? "" : ", made by request"
    let row = [name, direction.rawValue, number, "pad \(pad)\(made)"]
    return "  " + row.filter { !$0.isEmpty }.joined(separator: "  ") + caps.indented
  }
}

extension ElementPage.LaterPad {
  fileprivate var lines: String { "  \(name)  \(direction.rawValue)" + caps.indented }
}

extension [String] {
  fileprivate var indented: String { map { "\n    " + $0 }.joined() }
}

extension ElementPage.Property {
  fileprivate var lines: String {
    let value = standard.map { " = \($0.isEmpty ? "\"\"" : $0)" } ?? ""
    let head = "  \(name)\(value)  (\(values)\(isDeprecated ? "; deprecated" : ""))"
    let width = choices?.map(\.name.count).max() ?? 0
    let rows = (choices ?? []).map { choice in
      choice.isExplained ? "\(choice.name.padded(to: width))  \(choice.help)" : choice.name
    }
    return
      ([head] + (help.isEmpty ? [] : ["    \(help.oneLine)"]) + rows.map { "      \($0)" })
      .joined(separator: "\n")
  }

  /// What it takes: `whole number, 0…51`.
  private var values: String {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): "\(type), \(minimum)…\(maximum)"
    case (let minimum?, nil): "\(type), at least \(minimum)"
    case (nil, let maximum?): "\(type), at most \(maximum)"
    case (nil, nil): type
    }
  }
}

extension ElementPage.Property.Choice {
  /// Whether its help says more than its name: some give the name of a constant in C.
  fileprivate var isExplained: Bool { help != name && help.contains { $0.isLowercase } }
}

extension String {
  /// The text with its lines joined: some plug-ins break the help of a property.
  fileprivate var oneLine: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
