/// Takes a graph document from a JSON value, and keeps the valid parts of a broken one.
struct DocumentReader {
  /// The most nodes of a graph.
  static let maximumNodes = 4096
  /// The most steps of `whenSlow`.
  static let maximumSteps = 64
  /// The most ends that all its wires have together.
  static let maximumEnds = 16_384

  private static let keys = [
    "$schema", "description", "parameters", "inputs", "outputs", GraphDocument.stepsKey, "nodes",
    "wires",
  ]

  var document: GraphDocument
  /// Whether the intended nodes are unknown, so that no wire can be judged.
  private var hasUnreadableNodes = false

  init(file: String?) { document = GraphDocument(file: file) }

  mutating func read(_ tree: JSONTree) {
    document.start = tree.place
    guard let members = tree.members else {
      report(
        .wrongType(part: "the file", found: tree.value.spoken, expected: "an object: `{ … }`"),
        tree.place)
      document.hasUnreadableWires = true
      return
    }
    for member in members {
      switch member.key.value {
      case "$schema": readSchema(member.value)
      case "description": readDescription(member.value)
      case "parameters": readParameters(member.value)
      case "inputs": document.inputs = openPorts("inputs", member.value)
      case "outputs": document.outputs = openPorts("outputs", member.value)
      case GraphDocument.stepsKey: readSteps(member.value)
      case "nodes": readNodes(member.value)
      case "wires": readWires(member.value)
      case let key:
        let unknown = DocumentProblem.unknownKey(key, known: Self.keys)
        report(unknown, member.key.place, key: key)
        misspelt(key)
      }
    }
    guard hasUnreadableNodes, document.nodes.isEmpty else { return }
    document.hasUnreadableWires = true
    document.wires = []
  }

  /// Where `nodes` or `wires` is misspelt, no second message says that it is missing.
  private mutating func misspelt(_ key: String) {
    guard document.diagnostics.count <= GraphErrors.limit else { return }
    switch closest(to: key, among: Self.keys) {
    case "nodes": hasUnreadableNodes = true
    case "wires": document.hasUnreadableWires = true
    default: break
    }
  }

  private mutating func readSchema(_ tree: JSONTree) {
    document.schema = tree.text
    if tree.text == nil { wrongType("`$schema`", tree, "the schema's path as text") }
  }

  private mutating func readDescription(_ tree: JSONTree) {
    if let text = tree.text {
      document.summary = text
    } else if case .array(let items) = tree.content, items.allSatisfy({ $0.text != nil }) {
      document.summary = items.compactMap(\.text).joined(separator: "\n")
    } else {
      wrongType("`description`", tree, "text, or a list of lines of text")
    }
  }

  private mutating func readParameters(_ tree: JSONTree) {
    guard let members = tree.members else {
      return wrongType("`parameters`", tree, "an object: `{ \"name\": value }`")
    }
    for member in members {
      checkName(member.key)
      if !member.value.isParameter {
        wrongType(
          "the parameter `\(excerpt(member.key.value))`", member.value,
          "text, a number, true or false, or a list of such")
      }
      document.parameters.append(.init(name: member.key, defaultValue: member.value))
    }
  }

  private mutating func readSteps(_ tree: JSONTree) {
    guard case .array(let items) = tree.content else {
      return wrongType("`\(GraphDocument.stepsKey)`", tree, "a list of steps: `[\"previews\"]`")
    }
    guard items.count <= Self.maximumSteps else {
      return report(
        .tooMany("steps", limit: Self.maximumSteps), items[Self.maximumSteps].place,
        key: GraphDocument.stepsKey)
    }
    document.whenSlow = items
  }

  private mutating func openPorts(_ key: String, _ tree: JSONTree) -> [GraphDocument.OpenPort] {
    guard let members = tree.members else {
      wrongType("`\(key)`", tree, "an object: `{ \"port\": \"node.port\" }`")
      return []
    }
    return members.compactMap { member in
      checkName(member.key)
      guard let text = member.value.text else {
        wrongType("`\(excerpt(member.key.value))`", member.value, "text: `node` or `node.port`")
        return nil
      }
      let end = WireText(end: text, in: member.value)
      document.diagnostics += end.diagnostics
      return end.ends.first.map { GraphDocument.OpenPort(name: member.key, end: $0) }
    }
  }

  private mutating func readNodes(_ tree: JSONTree) {
    guard let members = tree.members else {
      hasUnreadableNodes = true
      return wrongType("`nodes`", tree, "an object: `{ \"name\": { \"type\": … } }`")
    }
    guard members.count <= Self.maximumNodes else {
      hasUnreadableNodes = true
      let excess = members[Self.maximumNodes].key.place
      return report(.tooMany("nodes", limit: Self.maximumNodes), excess)
    }
    for member in members {
      checkName(member.key, isNodeName)
      document.nodes.append(node(member))
    }
  }

  private mutating func node(_ member: JSONTree.Member) -> GraphDocument.NodeEntry {
    let name = member.key.value
    var entry = GraphDocument.NodeEntry(name: member.key, type: nil, fields: [])
    guard let fields = member.value.members else {
      wrongType("`\(excerpt(name))`", member.value, "an object: `{ \"type\": … }`", node: name)
      return entry
    }
    entry.fields = fields.filter { $0.key.value != "type" }
    guard let type = fields.first(where: { $0.key.value == "type" }) else {
      report(.missingType(node: name), member.value.place, node: name, key: "type")
      return entry
    }
    entry.type = type.value.text.map { Located($0, at: type.value.place) }
    if entry.type == nil { wrongType("`type`", type.value, "a node type's name", node: name) }
    return entry
  }

  private mutating func readWires(_ tree: JSONTree) {
    guard case .array(let items) = tree.content else {
      document.hasUnreadableWires = true
      return wrongType("`wires`", tree, "a list: `[\"from -> to\"]`")
    }
    var ends = 0
    for item in items {
      guard ends <= Self.maximumEnds else { break }
      guard let text = item.text else {
        document.hasUnreadableWires = true
        wrongType("the wire", item, "text: `\"from -> to\"`")
        continue
      }
      let wire = WireText(text, in: item)
      document.diagnostics += wire.diagnostics
      if wire.diagnostics.isEmpty { document.wires.append(.init(ends: wire.ends)) }
      if !wire.diagnostics.isEmpty { document.mentioned.formUnion(wire.mentioned) }
      ends += wire.ends.count
      if ends > Self.maximumEnds {
        report(.tooMany("ends of wires", limit: Self.maximumEnds), item.place)
        document.hasUnreadableWires = true
        document.wires = []
      }
    }
  }

  private mutating func checkName(
    _ name: Located<String>, _ isValid: (String) -> Bool = isName
  ) {
    if !isValid(name.value) { report(.badName(name.value), name.place, key: name.value) }
  }

  private mutating func wrongType(
    _ part: String, _ tree: JSONTree, _ expected: String, node: String? = nil
  ) {
    report(
      .wrongType(part: part, found: tree.value.spoken, expected: expected), tree.place, node: node)
  }

  private mutating func report(
    _ problem: DocumentProblem, _ place: SourcePlace?, node: String? = nil, key: String? = nil
  ) {
    document.diagnostics.append(Diagnostic(.document(problem), at: place, node: node, key: key))
  }
}

extension JSONTree {
  /// Whether a graph's parameter can have the value.
  fileprivate var isParameter: Bool {
    switch content {
    case .object: false
    case .array(let items): items.allSatisfy(\.isItem)
    default: true
    }
  }

  /// Whether a list that is a parameter can hold the value.
  private var isItem: Bool {
    switch content {
    case .array(let items): items.allSatisfy { $0.members == nil && $0.isItem }
    case .object(let members): members.allSatisfy { !$0.value.isNested }
    default: true
    }
  }

  private var isNested: Bool {
    switch content {
    case .array, .object: true
    default: false
    }
  }
}
