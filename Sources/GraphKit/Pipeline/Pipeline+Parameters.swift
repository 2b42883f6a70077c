/// Parameters of a running graph.
extension Pipeline {
  /// Changes a live parameter, named as `node.parameter`, while the graph runs.
  ///
  /// The change comes between two samples, of which none is lost or repeated: with the first one
  /// whose presentation time, as the node sees it, is `time` or later; with the next one where
  /// `time` is `nil`. The report says when that was. Throws at once, and changes nothing, where
  /// there is no such parameter, where it can't change while the graph runs, or where it doesn't
  /// take the value.
  public func set(_ path: String, _ value: JSONValue, at time: MediaTime? = nil) throws(NodeError) {
    try set([path: value], at: time)
  }

  /// Changes live parameters together: all of them, or none. Those of one node change with the
  /// same sample.
  public func set(_ values: KeyValuePairs<String, JSONValue>, at time: MediaTime? = nil)
    throws(NodeError)
  {
    try set(values.map { ($0, $1) }, areTexts: false, at: time)
  }

  /// The same, where values may be the text of what their parameters want.
  package func set(
    _ values: [(path: String, value: JSONValue)], areTexts: Bool, at time: MediaTime?
  ) throws(NodeError) {
    guard !state.isEnd else {
      throw NodeError("the run is over", remedy: "set what the graph is to begin with")
    }
    if let time, !(time >= .zero && time.isNumeric) {
      throw NodeError("\(time) is no time of a sample", remedy: "give one from 0 on")
    }
    var changes: [(to: LiveChanges, values: [LiveChanges.Value])] = []
    for (path, value) in values {
      let (target, info) = try liveParameter(path)
      let value = (info.name, try info.checked(value, isText: areTexts, of: target))
      if let index = changes.firstIndex(where: { $0.to === target }) {
        changes[index].values.append(value)
      } else {
        changes.append((target, [value]))
      }
    }
    for (target, values) in changes { try target.check(values) }
    for (target, values) in changes { try target.add(values, at: time) }
  }

  /// A live parameter by its path, and the changes of its node.
  private func liveParameter(_ path: String) throws(NodeError) -> (
    LiveChanges, NodeType.ParameterInfo
  ) {
    let (node, info) = try parameter(path)
    if info.isLive, let changes = storage.lowered.changes[node] { return (changes, info) }
    let type = storage.lowered.changes[node]?.type ?? storage.plan[node]?.type
    let live = type?.parameters.filter(\.isLive).map(\.name) ?? []
    throw NodeError(
      NodeProblem.notLive(info.name, type: type?.name ?? node, live: live).wording, of: node,
      key: info.name)
  }

  /// A parameter by its path: the node's name, and what its type says of the parameter.
  func parameter(_ path: String) throws(NodeError) -> (node: String, NodeType.ParameterInfo) {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw NodeError(
        "`\(excerpt(path))` names no parameter of a node", remedy: "write node.parameter")
    }
    let node = parts[0]
    guard let type = storage.lowered.changes[node]?.type ?? storage.plan[node]?.type else {
      let problem = WireProblem.unknownNode(node, known: storage.plan.nodes.map(\.name))
      throw NodeError(problem.wording, of: nil, key: nil)
    }
    guard let info = type.parameters.first(where: { $0.name == parts[1] }) else {
      let problem = NodeProblem.unknownParameter(
        parts[1], type: type.name, known: type.parameters.map(\.name))
      throw NodeError(problem.wording, of: node, key: parts[1])
    }
    return (node, info)
  }
}

extension NodeType.ParameterInfo {
  /// Whether the node decides where a graph gives no value. Text may be just that word.
  private var mayBeNull: Bool {
    if case .string = kind { return false }
    return defaultValue == nil && !isRequired
  }

  /// A value as the parameter takes it, by the rules of graph files; `null` where one may be left out.
  fileprivate func checked(_ value: JSONValue, isText: Bool, of changes: LiveChanges)
    throws(NodeError) -> JSONValue
  {
    // The node decides again, as where a graph gives none.
    if mayBeNull, value == .null || isText && value == .string("null") { return .null }
    var field = DraftField(key: Located(name), value: Located(value), isUntyped: isText)
    if isText { field.convert(to: kind) }
    let draft = DraftNode(
      name: Located(changes.node), type: changes.type, node: nil, fields: [field])
    let rules: [any NodeRule.Type] = [
      ParameterType.self, ParameterRange.self, ParameterChoice.self, ParameterItems.self,
      ParameterText.self,
    ]
    for rule in rules {
      guard let wrong = rule.check(draft, of: changes.type).first else { continue }
      throw NodeError(wrong.problem.wording, of: changes.node, key: name)
    }
    return field.value.value
  }
}

extension NodeError {
  fileprivate init(_ wording: Wording, of node: String?, key: String?) {
    self.init(
      (node.map { "\($0): " } ?? "") + wording.message, remedy: wording.remedy, key: key)
  }
}
