extension GraphDocument {
  /// The document as text that reads back as an equal document: one node a line where it is short.
  public var json: String {
    var members: [JSONTree.Member] = []
    if let schema {
      members.append(.init(key: Located("$schema"), value: JSONTree(.string(schema))))
    }
    if !parameters.isEmpty {
      let entries = parameters.map { JSONTree.Member(key: $0.name, value: $0.defaultValue) }
      members.append(.init(key: Located("parameters"), value: JSONTree(.object(entries))))
    }
    let entries = nodes.map { JSONTree.Member(key: $0.name, value: $0.tree) }
    members.append(.init(key: Located("nodes"), value: JSONTree(.object(entries))))
    let rows = wires.map { JSONTree(.string($0.text)) }
    members.append(.init(key: Located("wires"), value: JSONTree(.array(rows))))
    return JSONWriter.text(of: JSONTree(.object(members)), breaking: ["nodes", "wires"])
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
  var text: String {
    ends.map { end in end.port.map { "\(end.node).\($0)" } ?? end.node }.joined(separator: " -> ")
  }
}
