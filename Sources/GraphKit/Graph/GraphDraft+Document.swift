extension GraphDraft {
  /// A draft of what a document says, with `${…}` replaced, and each graph that it names in its place.
  init(_ document: GraphDocument, catalog: Catalog, overrides: [String: String]) {
    self.init(catalog: catalog, file: document.file)
    diagnostics = document.diagnostics
    omitted = document.omitted
    start = document.start
    excusesAll = document.hasUnreadableWires
    var substitution = Substitution(document, overrides: overrides)
    insert(document, &substitution, at: GraphLevel(file: document.file))
    excused.formUnion(document.mentioned.compactMap(index(of:)))
  }

  /// Reports the ports of a graph that is to run by itself.
  mutating func reportOpenPorts(of document: GraphDocument) {
    let ports = document.inputs + document.outputs
    guard let first = ports.first else { return }
    excused.formUnion(ports.compactMap { index(of: $0.end.node) })
    let names = Set(ports.map(\.name.value)).sorted()
    report(.fit(.openGraph(ports: names)), at: first.name.place)
  }

  /// Puts a document's nodes and wires into the draft; returns what its open ports lead to,
  /// `nil` where one of them leads nowhere.
  @discardableResult
  mutating func insert(
    _ document: GraphDocument, _ substitution: inout Substitution, at level: GraphLevel
  ) -> OpenEnds? {
    for entry in document.nodes { insert(entry, &substitution, at: level) }
    insertSteps(of: document, &substitution, at: level)
    substitution.finish()
    diagnostics += substitution.diagnostics
    for wire in document.wires {
      rows += expanded(wire.ends.map { DraftEnd($0, at: level) })
    }
    let open = OpenEnds(
      inputs: ends(of: document.inputs, at: level), outputs: ends(of: document.outputs, at: level))
    let lost = (Array(open.inputs.values) + open.outputs.values).filter { !has($0.node) }
    for end in lost {
      report(.wire(.unknownNode(end.node, known: names)), at: end.place, node: end.node)
    }
    excusesAll = excusesAll || !lost.isEmpty
    return lost.isEmpty ? open : nil
  }

  private func ends(
    of ports: [GraphDocument.OpenPort], at level: GraphLevel
  ) -> [String: DraftEnd] {
    let ends = ports.map { ($0.name.value, DraftEnd($0.end, at: level)) }
    return Dictionary(ends, uniquingKeysWith: { first, _ in first })
  }
}

extension GraphDraft {
  /// Adds what an entry stands for: a node, or one for each item of a list.
  private mutating func insert(
    _ entry: GraphDocument.NodeEntry, _ substitution: inout Substitution, at level: GraphLevel
  ) {
    let name = level.prefix + entry.name.value
    guard let list = entry.fields.first(where: { $0.key.value == NodeKey.foreach }) else {
      return insert(entry, named: name, &substitution, at: level)
    }
    guard let items = items(of: list, in: name, &substitution),
      hasRoom(for: items.count, at: entry.name.place)
    else {
      groups[name] = .unknown
      excusesAll = true
      return
    }
    let names = items.indices.map { "\(name)/\($0 + 1)" }
    report(duplicate: Located(name, at: entry.name.place))
    groups[name] = .several(names)
    for (name, item) in zip(names, items) {
      substitution.item = item
      insert(entry, named: name, &substitution, at: level)
    }
    substitution.item = nil
  }

  /// The items that nodes are made for; `nil` where there is no such list, which is reported.
  private mutating func items(
    of field: JSONTree.Member, in node: String, _ substitution: inout Substitution
  ) -> [JSONValue]? {
    guard let list = substitution.apply(to: field, of: node)?.value else { return nil }
    if case .array(let items) = list.value { return items }
    let problem = NodeProblem.wrongType(
      NodeKey.foreach, found: list.value.spoken, expected: "a list: `[ … ]`")
    report(.node(problem), at: list.place, node: node, key: NodeKey.foreach)
    return nil
  }

  private mutating func insert(
    _ entry: GraphDocument.NodeEntry, named name: String, _ substitution: inout Substitution,
    at level: GraphLevel
  ) {
    guard hasRoom(for: 1, at: entry.name.place) else {
      groups[name] = .unknown
      return
    }
    var node = DraftNode(entry, named: name, &substitution)
    if let problem = node.takeOptional() { diagnostics.append(problem) }
    if entry.type?.value == GraphLevel.type {
      include(node, at: level)
    } else {
      add(node)
    }
  }

  /// Whether there may be so many nodes more; reports once that there may not.
  private mutating func hasRoom(for count: Int, at place: SourcePlace?) -> Bool {
    let limit = DocumentReader.maximumNodes
    guard nodes.count + groups.count + count > limit else { return true }
    excusesAll = true
    let problem = Problem.document(.tooMany("nodes", limit: limit))
    if !diagnostics.contains(where: { $0.problem == problem }) { report(problem, at: place) }
    return false
  }

  /// Reports a group that has the name of a node or another group.
  mutating func report(duplicate name: Located<String>) {
    guard has(name.value) else { return }
    report(.fit(.duplicateNode(name.value)), at: name.place, node: name.value)
  }
}

extension DraftNode {
  fileprivate init(
    _ entry: GraphDocument.NodeEntry, named name: String, _ substitution: inout Substitution
  ) {
    self.name = Located(name, at: entry.name.place)
    typeName = entry.type
    for field in entry.fields where field.key.value != NodeKey.foreach {
      if let field = substitution.apply(to: field, of: name) {
        fields.append(field)
      } else {
        unset.insert(field.key.value)
        isSound = false
      }
    }
  }

  /// Takes the field that says whether wires to ports that it lacks are left out, which is none of its
  /// type's; returns what is wrong with it.
  fileprivate mutating func takeOptional() -> Diagnostic? {
    guard let index = fields.firstIndex(where: { $0.key.value == NodeKey.optional }) else {
      return nil
    }
    var field = fields.remove(at: index)
    if field.isUntyped { field.convert(to: .bool) }
    if case .bool(let flag) = field.value.value {
      isOptional = flag
      return nil
    }
    let problem = NodeProblem.wrongType(
      NodeKey.optional, found: field.value.value.spoken, expected: "true or false")
    return Diagnostic(
      .node(problem), at: field.value.place, node: name.value, key: NodeKey.optional)
  }
}

extension DraftEnd {
  fileprivate init(_ end: GraphDocument.End, at level: GraphLevel) {
    self.init(node: level.prefix + end.node, port: end.port, place: end.place)
  }
}
