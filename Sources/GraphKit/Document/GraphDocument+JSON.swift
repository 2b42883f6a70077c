extension GraphDocument {
  /// The document as text that reads back as an equal document: one node a line where it is short.
  public var json: String {
    var members: [JSONTree.Member] = []
    if let schema {
      members.append(.init(key: Located("$schema"), value: JSONTree(.string(schema))))
    }
    if let summary {
      members.append(.init(key: Located("description"), value: Self.lines(of: summary)))
    }
    if !parameters.isEmpty {
      let entries = parameters.map { JSONTree.Member(key: $0.name, value: $0.defaultValue) }
      members.append(.init(key: Located("parameters"), value: JSONTree(.object(entries))))
    }
    for (key, ports) in [("inputs", inputs), ("outputs", outputs)] where !ports.isEmpty {
      let entries = ports.map {
        JSONTree.Member(key: $0.name, value: JSONTree(.string($0.end.text)))
      }
      members.append(.init(key: Located(key), value: JSONTree(.object(entries))))
    }
    if let whenSlow {
      members.append(.init(key: Located(Self.stepsKey), value: JSONTree(.array(whenSlow))))
    }
    let entries = nodes.map { JSONTree.Member(key: $0.name, value: $0.tree) }
    members.append(.init(key: Located("nodes"), value: JSONTree(.object(entries))))
    let rows = wires.map { JSONTree(.string($0.text)) }
    members.append(.init(key: Located("wires"), value: JSONTree(.array(rows))))
    return JSONWriter.text(of: JSONTree(.object(members)), breaking: ["nodes", "wires"])
  }

  /// A text of several lines as a list of them.
  private static func lines(of text: String) -> JSONTree {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count > 1 else { return JSONTree(.string(text)) }
    return JSONTree(.array(lines.map { JSONTree(.string($0)) }))
  }
}

extension GraphDocument.NodeEntry {
  fileprivate var tree: JSONTree {
    let type = type.map {
      [JSONTree.Member(key: Located("type"), value: JSONTree(.string($0.value)))]
    }
    return JSONTree(.object((type ?? []) + fields))
  }
}

extension GraphDocument.Wire {
  /// The row as graph files write it.
  var text: String { ends.map(\.text).joined(separator: " -> ") }
}

extension GraphDocument.End {
  /// The end as graph files write it.
  fileprivate var text: String { port.map { "\(node).\($0)" } ?? node }
}
