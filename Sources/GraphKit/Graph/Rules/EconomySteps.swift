/// What a step of `whenSlow` names is there, and can be done while the graph runs.
enum EconomySteps: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    (draft.steps ?? []).flatMap { step -> [Diagnostic] in
      guard step.step.node != nil else { return [] }
      guard let node = draft.node(of: step) else { return missing(step.node, in: draft) }
      guard let type = node.type, node.isSound else { return [] }
      switch step.action {
      case .previews, .effects, .frameRate: return []
      case .pause: return problem(pausing: node, in: draft, at: step.node.place)
      case .set(let fields): return problems(setting: fields, of: node, type, at: step.node.place)
      case .keepEvery(let share):
        return problem(thinning: node, to: share.value, in: draft, at: step.node.place)
      }
    }
  }

  /// A node that isn't there, unless it can't be known what is.
  private static func missing(_ name: Located<String>, in draft: GraphDraft) -> [Diagnostic] {
    let problem: Problem
    switch draft.groups[name.value] {
    case .unknown, .several: return []
    case .graph:
      let nodes = draft.names.filter { $0.hasPrefix(name.value + "/") }
      problem = .node(
        .stated(
          NodeError(
            "`\(name.value)` is a graph of several nodes", remedy: "name one: \(anyOf(nodes))")))
    case nil: problem = .wire(.unknownNode(name.value, known: draft.names))
    }
    return [Diagnostic(problem, at: name.place, node: name.value)]
  }

  private static func stated(
    _ message: String, remedy: String, of node: DraftNode, at place: SourcePlace?,
    key: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      .node(.stated(NodeError(message, remedy: remedy))), at: place, node: node.name.value,
      key: key)
  }

  // MARK: Previews

  private static func problem(
    pausing node: DraftNode, in draft: GraphDraft, at place: SourcePlace?
  ) -> [Diagnostic] {
    let name = node.name.value
    guard node.node?.traits.takesNewestOnly == true else {
      return [
        stated(
          "`\(name)` is no preview, so it can't pause", remedy: "`set` live parameters of it",
          of: node, at: place)
      ]
    }
    let others = draft.nodes.filter { $0.type?.role == .sink }.compactMap(\.node?.traits)
    guard others.allSatisfy({ $0.takesNewestOnly || $0.isBestEffort }) else { return [] }
    return [
      stated(
        "`\(name)` is what the graph is for, so it can't pause",
        remedy: "pause a preview beside a sink that records", of: node, at: place)
    ]
  }

  // MARK: Frames

  private static func problem(
    thinning node: DraftNode, to share: Int, in draft: GraphDraft, at place: SourcePlace?
  ) -> [Diagnostic] {
    let name = node.name.value
    guard EconomyStep.shares.contains(share) else {
      return [
        stated(
          "`\(name)` can't keep one frame in \(share)",
          remedy: "keep one in \(EconomyStep.sharesInWords)", of: node, at: place,
          key: EconomyStep.Key.keepEvery)
      ]
    }
    let isLive = { (node: DraftNode) in node.node?.traits.isLive == true }
    // Where nothing is live, no step is ever taken.
    guard draft.nodes.contains(where: isLive) else { return [] }
    let hasFrames = node.ports(.output).contains { $0.format.kind == .video }
    if isLive(node), hasFrames, node.ports(.input).isEmpty { return [] }
    return [
      stated(
        "`\(name)` is no live source of raw video, so none of its frames can be left out",
        remedy: "name the source", of: node, at: place)
    ]
  }

  // MARK: Parameters

  private static func problems(
    setting fields: [DraftField], of node: DraftNode, _ type: NodeType, at place: SourcePlace?
  ) -> [Diagnostic] {
    let step = DraftNode(
      name: Located(node.name.value, at: place), type: type, node: node.node, fields: fields)
    let rules: [any NodeRule.Type] = [
      UnknownParameter.self, ParameterType.self, ParameterRange.self, ParameterChoice.self,
      ParameterItems.self, ParameterText.self,
    ]
    let found = rules.flatMap { $0.check(step, of: type) }
    guard found.isEmpty else { return found }
    let unfit = fields.compactMap { misfit($0, of: node, type) }
    guard unfit.isEmpty, var changed = node.node else { return unfit }
    for field in fields { _ = type.set(field.key.value, to: field.value.value, of: &changed) }
    return changed.problem.map { [step.stated($0)] } ?? []
  }

  /// Why a parameter can't be set in a run and put back.
  private static func misfit(_ field: DraftField, of node: DraftNode, _ type: NodeType)
    -> Diagnostic?
  {
    let key = field.key.value
    guard let info = type.parameters.first(where: { $0.name == key }) else { return nil }
    guard info.isLive else {
      let live = type.parameters.filter(\.isLive).map(\.name)
      return Diagnostic(
        .node(.notLive(key, type: type.name, live: live)), at: field.value.place,
        node: node.name.value, key: key)
    }
    if Keyframes.areWritten(field.value.value, for: info.kind) {
      return stated(
        "`\(key)` would have keyframes", remedy: "give it one value", of: node,
        at: field.value.place, key: key)
    }
    if node.keyframes(of: type).contains(where: { $0.info.name == key }) {
      return stated(
        "`\(key)` has keyframes, which a step would end",
        remedy: "set another parameter, or give it one value", of: node, at: field.value.place,
        key: key)
    }
    guard node.node.map({ info.read($0) == nil }) == true else { return nil }
    return stated(
      "`\(key)` has no value that could be put back", remedy: "give the node one", of: node,
      at: field.value.place, key: key)
  }
}
